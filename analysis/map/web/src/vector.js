// Writes layers of a scene as SVG elements; texts and names are set, never parsed.

import { FONT, INK, LABEL, PAPER } from "./paint.js";

const SVG = "http://www.w3.org/2000/svg";
// What XML 1.0 has no room for; lone surrogates are among it.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, typeof value === "number" ? rounded(value) : legal(value));
  }
  made.append(...children);
  return made;
}

function rounded(value) {
  return String(Math.round(value * 100) / 100);
}

export function legal(text) {
  return String(text).replace(FORBIDDEN, "");
}

export function drawing(width, height) {
  return element("svg", { xmlns: SVG, viewBox: `0 0 ${rounded(width)} ${rounded(height)}`, width, height });
}

export function group(layer) {
  const made = element("g", layer.opacity < 1 ? { opacity: layer.opacity } : {});
  made.append(...paths(layer.lines), ...layer.discs.map(disc), ...layer.texts.map(text));
  return made;
}

// One path for all lines of a style: a tenth of the size of a line each.
function paths(lines) {
  const styles = new Map();
  for (const line of lines) {
    const key = [line.colour, line.alpha, rounded(line.width)].join(" ");
    if (!styles.has(key)) styles.set(key, { ...line, stroke: [], fill: [] });
    const style = styles.get(key);
    style.stroke.push(`M${point(line.x1, line.y1)}L${point(line.x2, line.y2)}`);
    if (line.head) {
      const [a, b, c, d, e, f] = line.head;
      style.fill.push(`M${point(a, b)}L${point(c, d)}L${point(e, f)}z`);
    }
  }
  return [...styles.values()].flatMap(({ colour, alpha, width, stroke, fill }) => [
    element("path", {
      d: stroke.join(""),
      fill: "none",
      stroke: colour,
      "stroke-opacity": alpha,
      "stroke-width": width,
    }),
    ...(fill.length ? [element("path", { d: fill.join(""), fill: colour, "fill-opacity": alpha })] : []),
  ]);
}

function point(x, y) {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

function disc({ x, y, r, fill, stroke, width }) {
  const outline = stroke === "none" ? {} : { stroke, "stroke-width": width };
  return element("circle", { cx: x, cy: y, r, fill, ...outline });
}

export function text({ text: words, x, y, weight = 500, size = LABEL, halo = true }) {
  const around = halo
    ? { stroke: PAPER, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" }
    : {};
  const style = { "font-family": FONT, "font-size": size, "font-weight": weight, fill: INK };
  return element("text", { x, y: y + size * 0.35, ...style, ...around }, legal(words));
}
