// Chooses labels that lie on no other label and on no larger node, the largest first.

import { FONT, LABEL } from "./paint.js";

const CELL = 48;
const HEIGHT = LABEL + 3;
const MOST = 140;
// Nodes smaller than this get a label only if they are among the first.
const READABLE = 4;
const ALWAYS = 60;

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

export function textWidth(text, weight = 500) {
  const key = weight + text;
  if (!widths.has(key)) {
    pen.font = `${weight} ${LABEL}px ${FONT}`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

// Boxes by the cells of a grid that they touch.
class Taken {
  constructor() {
    this.cells = new Map();
  }

  *keys(box) {
    for (let x = Math.floor(box[0] / CELL); x <= Math.floor(box[2] / CELL); x += 1) {
      for (let y = Math.floor(box[1] / CELL); y <= Math.floor(box[3] / CELL); y += 1) {
        yield x * 4096 + y;
      }
    }
  }

  add(box) {
    for (const key of this.keys(box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }

  isFree(box) {
    for (const key of this.keys(box)) {
      for (const other of this.cells.get(key) ?? []) {
        if (box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]) {
          return false;
        }
      }
    }
    return true;
  }
}

// Shown nodes by size, the largest first; to be made anew when sizes or filters change.
export function labelOrder(look) {
  const { radius } = look;
  return look.shownNodes().sort((one, other) => radius[other] - radius[one] || one - other);
}

// Where the page's own words and buttons lie on the map, as map.css has them.
function corners({ width, height }) {
  return [
    [0, height - 40, 250, height],
    [width - 56, height - 140, width, height],
  ];
}

export function placed(stage, order, most = MOST) {
  const taken = new Taken();
  for (const box of corners(stage)) taken.add(box);
  const candidates = order.filter((node) => stage.isOnScreen(node));
  for (const node of candidates) {
    const r = stage.r(node);
    if (r < READABLE) break; // in order of size
    taken.add([stage.px[node] - r, stage.py[node] - r, stage.px[node] + r, stage.py[node] + r]);
  }
  const labels = [];
  for (const [place, node] of candidates.entries()) {
    if (labels.length >= most) break;
    if (stage.r(node) < READABLE && place >= ALWAYS) break;
    const label = fitted(stage, taken, node);
    if (!label) continue;
    taken.add(label.box);
    labels.push(label);
  }
  return labels;
}

// To the right of the node, else to the left, below, or above it.
function fitted(stage, taken, node) {
  const { label, spots } = around(stage, node);
  for (const [x, y] of spots) {
    const box = [x - 2, y - HEIGHT / 2, x + label.width + 2, y + HEIGHT / 2];
    if (box[0] < 0 || box[2] > stage.width || box[1] < 0 || box[3] > stage.height) continue;
    if (taken.isFree(box)) return { ...label, x, y, box };
  }
  return null;
}

function around(stage, node) {
  const text = stage.look.model.labels[node];
  const width = textWidth(text);
  const x = stage.px[node];
  const y = stage.py[node];
  const away = stage.r(node) + 5;
  const right = [x + away, y];
  const left = [x - away - width, y];
  const below = [x - width / 2, y + away + HEIGHT / 2 - 2];
  const above = [x - width / 2, y - away - HEIGHT / 2 + 2];
  const spots = [right, left, below, above];
  return { label: { node, text, width }, spots: stage.look.layout === "circle" ? outward(stage, node, spots) : spots };
}

// On a circle, outside has room: beside it, or above and below where it runs level.
function outward(stage, node, [right, left, below, above]) {
  const [x, y] = [stage.look.x[node], stage.look.y[node]];
  const beside = x < 0 ? left : right;
  const level = y > 0 ? above : below;
  return Math.abs(x) > Math.abs(y) / 3 ? [beside, level] : [level, beside];
}

// A label to be shown whatever it lies on, within the screen.
export function forced(stage, node, weight = 500) {
  const text = stage.look.model.labels[node];
  const width = textWidth(text, weight);
  const right = stage.px[node] + stage.r(node) + 5;
  const fits = right + width < stage.width;
  const x = fits ? right : Math.max(stage.px[node] - stage.r(node) - 5 - width, 2);
  const y = stage.py[node];
  return { node, text, width, weight, x, y, box: [x - 2, y - HEIGHT / 2, x + width + 2, y + HEIGHT / 2] };
}
