// The map as it is seen, with title and legend: as SVG, as PNG made of it, and on paper.

import { colouredBy, legendLines, ringed, sizedBy } from "./legend.js";
import { labelOrder, textWidth } from "./labels.js";
import { LABEL, PAPER } from "./paint.js";
import { scene } from "./scene.js";
import { drawing, element, group, text } from "./vector.js";
import { figure } from "./words.js";

const MARGIN = 16;
const LINE = 19;
const GAP = 26; // between lines of a legend that stand side by side
const DENSITY = 2; // pixels of a PNG for a pixel of the screen
const LARGEST = 16384; // pixels of a side that browsers make

export function picture(stage) {
  const { look } = stage;
  const { content } = look.model;
  const width = Math.max(stage.width, 480);
  const head = [content.title || "Issue network", content.facts.join(" · ")];
  const top = MARGIN + 2 * LINE + 10;
  const foot = legend(look, width, top + stage.height + MARGIN + LINE / 2);
  const drawn = drawing(width, foot.bottom + MARGIN);
  drawn.append(
    element("rect", { width, height: foot.bottom + MARGIN, fill: PAPER }),
    text({ text: fitted(head[0], width, 17 / LABEL), x: MARGIN, y: MARGIN + 8, size: 17, weight: 700, halo: false }),
    text({ text: fitted(head[1], width), x: MARGIN, y: MARGIN + LINE + 8, weight: 400, halo: false }),
    ...view(stage, top),
    ...foot.made,
  );
  return drawn;
}

// The screen's part of the map, cut at its edges.
function view(stage, top) {
  const { width, height } = stage;
  const cut = element("clipPath", { id: "view" }, element("rect", { width, height }));
  const layers = scene(stage, labelOrder(stage.look)).map(group);
  const all = element("g", { transform: `translate(0 ${top})` }, element("g", { "clip-path": "url(#view)" }, ...layers));
  return [element("defs", {}, cut), all];
}

function legend(look, width, y) {
  const made = [text({ text: `${colouredBy(look)}. ${sizedBy(look)}.`, x: MARGIN, y, weight: 600, halo: false })];
  let [x, line] = [MARGIN, y + LINE];
  for (const entry of legendLines(look).filter((one) => !look.off.has(one.group))) {
    const words = fitted(entry.count == null ? entry.text : `${entry.text} (${figure(entry.count)})`, width);
    const room = 18 + textWidth(words, 400);
    if (x > MARGIN && x + room > width - MARGIN) [x, line] = [MARGIN, line + LINE];
    made.push(mark(entry, x + 6, line), text({ text: words, x: x + 18, y: line, weight: 400, halo: false }));
    x += room + GAP;
  }
  return { made, bottom: line + LINE / 2 };
}

function mark({ disc, line }, x, y) {
  if (line) return element("path", { d: `M${x - 6} ${y}h12`, stroke: line, "stroke-width": 3 });
  return element("circle", { cx: x, cy: y, ...ringed(disc, 6) });
}

// As much of a text as a line has room for.
function fitted(words, width, scale = 1) {
  const letters = [...words];
  const room = (width - 2 * MARGIN - 20) / scale;
  if (textWidth(words, 700) <= room) return words;
  const cut = (count) => `${letters.slice(0, count).join("")}…`;
  let [fits, over] = [0, letters.length];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (textWidth(cut(middle), 700) <= room) fits = middle;
    else over = middle;
  }
  return cut(fits);
}

export function saveSvg(stage, name) {
  save(new Blob([xml(stage)], { type: "image/svg+xml" }), `${name}.svg`);
}

function xml(stage) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture(stage))}\n`;
}

export async function savePng(stage, name) {
  const address = URL.createObjectURL(new Blob([xml(stage)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    save(await rasterised(image), `${name}.png`);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function rasterised(image) {
  const density = Math.min(DENSITY, LARGEST / image.width, LARGEST / image.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * density);
  canvas.height = Math.round(image.height * density);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))));
  });
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
