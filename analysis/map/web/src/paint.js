// Colours and widths of what is drawn, by WebGL, canvas and SVG alike.

export const INK = "#1d2126";
export const PAPER = "#ffffff";
const OUTSIDE_EDGE = "#bdbdbd";
// What became of a link since another network, as analysis.paint.CHANGES has it; one
// that stayed has the colour of the actor that links.
export const CHANGES = { came: "#009e73", went: "#d55e00", unseen: "#e69f00" };
export const PERIPHERY = "#b8b8b8";

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
export const LABEL = 12;

// Beyond this many links, lines are thin, faint, and have no arrows.
const MANY = 4000;

// A ring of ink, a gap, the colour: some of the node's pages could not be seen. Ring and
// gap have two pixels of the whole map, and as shares of the radius so much at most.
const RING = 0.2;

export function ring(radius) {
  return Math.min(RING, 2 / radius);
}

// Thin and white, so that nodes that touch stay apart.
export const EDGE_OF_NODE = 0.08;
// The periphery is hollow.
export const HOLLOW = 0.35;

export function marked(model, node) {
  return model.content.unseen[node] > 0;
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
