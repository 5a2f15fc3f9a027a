// Colours and widths of what is drawn, by WebGL, canvas and SVG alike.

export const INK = "#1d2126";
export const HALO = "#b9c6d3";
export const PAPER = "#ffffff";
const OUTSIDE_EDGE = "#bdbdbd";
// What became of a link since another network, as analysis.paint.CHANGES has it; one
// that stayed has the colour of the actor that links.
export const CHANGES = { came: "#009e73", went: "#d55e00", unseen: "#e69f00" };
export const PERIPHERY = "#b8b8b8";
export const REST = "#545454";

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
export const LABEL = 12;

// Beyond this many links, lines are thin, faint, and have no arrows.
const MANY = 4000;

// Pixels of the whole map that the ring of a starting point has, and the gap within it.
export const RING = 1.8;
// Pixels of the whole map, and the largest share of a radius that they may take.
const DOT = { pixels: 4, share: 0.4 };
const LINE = { pixels: 0.6, share: 0.06 };
// Thin and white, so that nodes that touch stay apart.
const EDGE = 0.08;
// The periphery is hollow.
export const HOLLOW = 0.35;

// A node from its edge inwards, as [share of the radius, colour]; the last takes what is
// left. As in the pictures: a ring of ink says starting point, a white dot that some of
// its pages could not be seen.
export function bands(model, node, colour, radius) {
  const ring = RING / radius;
  const around = model.starting.has(node) ? [[ring, INK], [ring, PAPER]] : [];
  if (!model.isCore(node)) return [...around, [HOLLOW * (1 - 2 * ring * (around.length > 0)), colour], [1, PAPER]];
  if (!around.length) around.push([EDGE, PAPER]);
  if (!model.content.unseen[node]) return [...around, [1, colour]];
  const [dot, line] = [share(DOT, radius), share(LINE, radius)];
  const body = around.reduce((left, [taken]) => left - taken, 1 - dot - line);
  return [...around, [body, colour], [line, INK], [1, PAPER]];
}

function share({ pixels, share: most }, radius) {
  return Math.min(most, pixels / radius);
}

export function isMany(model) {
  return model.edges > MANY;
}

export function linkStyle(model, look, link) {
  const many = isMany(model);
  if (model.isInward(link)) return { colour: OUTSIDE_EDGE, alpha: many ? 0.4 : 0.8, width: 0.7, arrow: false };
  const change = look.colouring.by === "change" ? model.change(link) : "";
  const colour = CHANGES[change] ?? mixed(look.colour(model.source[link]), 0.45);
  if (many) return { colour, alpha: 0.3, width: 0.6, arrow: false };
  const share = Math.sqrt(model.weight[link] / model.heaviest);
  return { colour, alpha: 0.75, width: 1.2 + 2 * share, arrow: true };
}

const mixes = new Map();

// A colour, with so much of it replaced by white.
export function mixed(colour, white) {
  const key = `${colour}${white}`;
  if (!mixes.has(key)) {
    const parts = channels(colour).map((value) => Math.round(value + (255 - value) * white));
    mixes.set(key, `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`);
  }
  return mixes.get(key);
}

export function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}
