// The legend: what each colour and each shape says. Its lines switch groups on and off.

import { tag } from "./html.js";
import { CHANGES, HOLLOW, INK, PAPER, PERIPHERY, REST } from "./paint.js";
import { element } from "./vector.js";
import { COLOURINGS, MEASURES, changeName, figure, groupName } from "./words.js";

const DOTTED = { fill: PAPER, stroke: REST, width: 0.6 };

// Lines for page and export: {text, count, disc: {fill, stroke, width}, group} or {line}.
export function legendLines(look) {
  const { model, colouring } = look;
  const counts = new Map();
  for (let node = 0; node < model.core; node += 1) {
    counts.set(colouring.of[node], (counts.get(colouring.of[node]) ?? 0) + 1);
  }
  const lines = [];
  colouring.groups.forEach(([label, colour], group) => {
    if (!counts.has(group)) return; // the periphery has a line of its own
    const text = groupName(colouring.by, label);
    lines.push({ text, count: counts.get(group), group, disc: { fill: colour, stroke: "none", width: 0 } });
  });
  return [...lines, ...shapes(look)];
}

function shapes(look) {
  const { model } = look;
  const lines = [];
  if (look.periphery) {
    const disc = { fill: PAPER, stroke: PERIPHERY, width: HOLLOW };
    lines.push({ text: "periphery: links into the network, not of it", count: model.count - model.core, disc });
  }
  if (model.content.starting.some((node) => look.periphery || model.isCore(node))) {
    lines.push({ text: "ring: starting point", disc: { fill: PAPER, stroke: INK, width: 0.3 } });
  }
  if (model.content.unseen.some((pages, node) => pages > 0 && model.isCore(node))) {
    lines.push({ text: "white dot: some of its pages could not be seen", disc: DOTTED });
  }
  if (look.colouring.by !== "change") return lines;
  const { table } = model.content.edge_change;
  const seen = Object.keys(CHANGES).filter((change) => table.includes(change));
  return [...lines, ...seen.map((change) => ({ text: `link that ${changeName(change)}`, line: CHANGES[change] }))];
}

export function colouredBy(look) {
  return `Colour: ${COLOURINGS[look.colouring.by]}`;
}

export function sizedBy(look) {
  if (!look.size) return "All nodes have one size";
  const sample = look.size === "betweenness" && look.model.content.sample;
  const note = sample ? `, estimated from ${figure(sample)} nodes` : "";
  return `Area: ${MEASURES[look.size]}${note}; largest ${figure(look.most)}`;
}

// A disc of an em, as an inline picture.
export function swatch({ disc, line }) {
  const picture = element("svg", { viewBox: "-8 -8 16 16", width: 14, height: 14, "aria-hidden": "true" });
  if (line) picture.append(element("path", { d: "M-7 0H7", stroke: line, "stroke-width": 3 }));
  else picture.append(element("circle", ringed(disc, 7)));
  return picture;
}

export function ringed({ fill, stroke, width }, radius) {
  const outline = stroke === "none" ? {} : { stroke, "stroke-width": width * radius };
  return { r: radius * (1 - width / 2), fill, ...outline };
}

export function fillLegend(box, look, changed) {
  const pressed = box.contains(document.activeElement) ? document.activeElement.dataset.group : undefined;
  const lines = legendLines(look).map((line) => {
    const inside = [swatch(line), tag("span", { class: "name", dir: "auto" }, line.text)];
    if (line.count != null) inside.push(tag("span", { class: "count" }, figure(line.count)));
    if (line.group == null) return tag("li", {}, tag("span", { class: "line" }, ...inside));
    const state = { "aria-pressed": String(!look.off.has(line.group)), "data-group": line.group };
    const button = { type: "button", class: "line", ...state, click: () => toggle(look, line.group, changed) };
    return tag("li", {}, tag("button", { ...button, title: "Show or hide this group" }, ...inside));
  });
  box.replaceChildren(
    tag("h2", {}, colouredBy(look)),
    tag("ul", {}, ...lines),
    tag("p", { class: "facts" }, sizedBy(look)),
  );
  // The line that was pressed is another element now.
  if (pressed !== undefined) box.querySelector(`[data-group="${pressed}"]`)?.focus({ preventScroll: true });
}

function toggle(look, group, changed) {
  if (look.off.has(group)) look.off.delete(group);
  else look.off.add(group);
  changed();
}
