// Evidence of a node, inflated when a panel asks for it.

import { inflate } from "./data.js";

const read = new Map();

// Rows {node, name, voter, total, links}, those with most links first; null if none is held.
export async function evidenceOf(model, node) {
  const block = model.blockOf.get(node);
  if (block === undefined) return null;
  if (!read.has(block)) read.set(block, inflate(`evidence-${block}`));
  const { nodes, texts } = await read.get(block);
  return nodes[node].map((row) => linking(row, texts)).sort(byLinks);
}

function linking([node, name, voter, total, best], texts) {
  return {
    node,
    name: texts[name],
    voter: texts[voter],
    total,
    links: best.map((link) => {
      const [source, target, anchor, placement, kind, rel, fetched] = link.map((at) => texts[at]);
      return { source, target, anchor, placement, kind, rel, fetched };
    }),
  };
}

function byLinks(one, other) {
  return other.total - one.total || (one.name < other.name ? -1 : 1);
}
