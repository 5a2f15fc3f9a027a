// What is to be drawn, as layers of lines, discs and texts in pixels.

import { forced, placed } from "./labels.js";
import { HALO, PAPER, bands, linkStyle } from "./paint.js";

// How far the rest steps back for what is in focus; as map.css has it.
export const FAINT = 0.14;
export const ARROW = { length: 4.5, half: 1.6 };

// The whole map as it is seen; *order* as labels.labelOrder has it.
export function scene(stage, order) {
  const focus = focused(stage, order);
  const opacity = focus.discs.length ? FAINT : 1;
  const all = [...order].sort((one, other) => stage.look.model.isCore(one) - stage.look.model.isCore(other));
  return [
    { opacity, lines: lines(stage, stage.look.shownLinks()), discs: [], texts: [] },
    { opacity, lines: [], discs: discs(stage, all), texts: [] },
    focus,
  ];
}

// What stands out: the node in focus with its neighbours, and the labels.
export function focused(stage, order) {
  const { look } = stage;
  const node = look.inFocus();
  if (node < 0) return { opacity: 1, lines: [], discs: [], texts: placed(stage, order) };
  const links = linksOf(look, node);
  const ends = new Set(links.flatMap((link) => [look.model.source[link], look.model.target[link]]));
  ends.add(node);
  const near = order.filter((other) => ends.has(other));
  return {
    opacity: 1,
    lines: lines(stage, links, true),
    discs: [...halo(stage, node), ...discs(stage, near)],
    texts: besides(stage, near, node),
  };
}

function linksOf(look, node) {
  const { model } = look;
  const links = [...model.out.of(node), ...model.in.of(node)];
  return links.filter((link) => look.shows(link));
}

// Labels of the neighbours where there is room, around the one in focus.
function besides(stage, near, node) {
  const own = forced(stage, node, 700);
  const others = placed(stage, near, 60).filter(
    ({ node: other, box }) =>
      other !== node &&
      !(box[0] < own.box[2] && own.box[0] < box[2] && box[1] < own.box[3] && own.box[1] < box[3]),
  );
  return [...others, own];
}

// Broad and pale, so that nobody takes it for the ring of a starting point.
function halo(stage, node) {
  const r = stage.r(node) + 5;
  return [{ node, x: stage.px[node], y: stage.py[node], r, fill: "none", stroke: HALO, width: 5 }];
}

export function discs(stage, nodes) {
  const made = [];
  for (const node of nodes) if (stage.isOnScreen(node)) made.push(...disc(stage, node));
  return made;
}

// A disc for each band, the inner on the outer; a white edge is left to the paper.
function disc(stage, node) {
  const { look } = stage;
  const at = { node, x: stage.px[node], y: stage.py[node], stroke: "none", width: 0 };
  const made = [];
  let left = stage.r(node);
  for (const [share, fill] of bands(look.model, node, look.colour(node), stage.base(node))) {
    if (made.length || fill !== PAPER) made.push({ ...at, r: left, fill });
    left -= share * stage.r(node);
  }
  return made;
}

function lines(stage, links, strong = false) {
  const made = [];
  const { look } = stage;
  for (const link of links) {
    const style = linkStyle(look.model, look, link);
    const line = drawn(stage, link, style, strong);
    if (line) made.push(line);
  }
  return made;
}

function drawn(stage, link, style, strong) {
  const { model } = stage.look;
  const [from, to] = [model.source[link], model.target[link]];
  const [x1, y1, x2, y2] = [stage.px[from], stage.py[from], stage.px[to], stage.py[to]];
  if (isOutside(x1, x2, stage.width) || isOutside(y1, y2, stage.height)) return null;
  const width = (strong ? Math.max(style.width, 1.2) : style.width) * stage.grown();
  const arrow = style.arrow || strong;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const short = length - stage.r(to);
  if (arrow && short <= 0) return null;
  const end = arrow ? short / length : 1;
  const tip = { x: x1 + (x2 - x1) * end, y: y1 + (y2 - y1) * end };
  const made = { link, x1, y1, x2: tip.x, y2: tip.y, width, colour: style.colour, alpha: strong ? 1 : style.alpha };
  return arrow ? { ...made, ...headed(made, length) } : made;
}

function isOutside(one, other, end) {
  return (one < 0 && other < 0) || (one > end && other > end);
}

// The line ends where its head begins.
function headed({ x1, y1, x2, y2, width }, length) {
  const [ux, uy] = [(x2 - x1) / (length || 1), (y2 - y1) / (length || 1)];
  const long = ARROW.length * width;
  const half = ARROW.half * width;
  const [bx, by] = [x2 - ux * long, y2 - uy * long];
  const head = [x2, y2, bx - uy * half, by + ux * half, bx + uy * half, by - ux * half];
  return { x2: bx, y2: by, head };
}
