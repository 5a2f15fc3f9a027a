// The network as the page holds it: columns by number of node and of link.

const TENTHS = 10;

export class Model {
  constructor(content) {
    this.content = content;
    this.core = content.core;
    this.count = content.ids.length;
    this.edges = content.edges[0].length;
    this.source = Uint32Array.from([...content.edges[0], ...content.inward[0]]);
    this.target = Uint32Array.from([...content.edges[1], ...content.inward[1]]);
    this.weight = Float64Array.from([...content.edges[2], ...content.inward[2]]);
    this.links = this.source.length;
    this.out = grouped(this.source, this.count);
    this.in = grouped(this.target, this.count);
    this.names = content.ids.map((_, node) => this.text("label", node));
    this.labels = this.names.map(shortened);
    this.sharing = tally(this.labels);
    this.folded = this.names.map((name, node) => `${name}\n${content.ids[node]}`.toLowerCase());
    this.neighbours = this.countNeighbours();
    this.layouts = Object.keys(content.layouts);
    this.heaviest = this.weight.reduce((most, weight) => Math.max(most, weight), 1);
    this.ranked = new Map();
    this.blockOf = new Map(content.evidence.of);
    this.starting = new Set(content.starting);
  }

  text(name, node) {
    const column = this.content.texts[name];
    return column.table[column.of[node]];
  }

  // Whether a label leaves open which node it is: a decision gave it, or several have it.
  isOpen(node) {
    return this.sharing.get(this.labels[node]) > 1 || !this.content.ids[node].includes(this.names[node]);
  }

  // Undefined or null where there is no such value.
  value(name, node) {
    return this.content.measures[name]?.[node];
  }

  // What could be seen of a node's site; undefined where nobody knows.
  coverageOf(node) {
    return this.content.coverage[this.text("site", node)];
  }

  isCore(node) {
    return node < this.core;
  }

  isInward(link) {
    return link >= this.edges;
  }

  // What became of an edge since another network, where the map is of a comparison.
  change(link) {
    const column = this.content.edge_change;
    return link < column.of.length ? column.table[column.of[link]] : "";
  }

  places(layout) {
    const { x, y } = this.content.layouts[layout];
    return {
      x: Float64Array.from(x, (value) => value / TENTHS),
      y: Float64Array.from(y, (value) => value / TENTHS),
    };
  }

  // Rank of each core node by a measure, 1 being the highest; equal values share one.
  ranks(name) {
    if (!this.ranked.has(name)) {
      const values = this.content.measures[name];
      const order = this.order(name).filter((node) => values[node] != null);
      const ranks = new Map();
      order.forEach((node, place) => {
        const before = order[place - 1];
        const same = place > 0 && values[before] === values[node];
        ranks.set(node, same ? ranks.get(before) : place + 1);
      });
      this.ranked.set(name, ranks);
    }
    return this.ranked.get(name);
  }

  // The core by a measure, the highest first.
  order(name) {
    const values = this.content.measures[name] ?? [];
    return Array.from({ length: this.core }, (_, node) => node).sort(
      (one, other) => (values[other] ?? -1) - (values[one] ?? -1) || one - other,
    );
  }

  // Different nodes of the core that each node links to or is linked from.
  countNeighbours() {
    return Uint32Array.from({ length: this.count }, (_, node) => {
      const found = new Set();
      for (const link of this.out.of(node)) found.add(this.target[link]);
      for (const link of this.in.of(node)) {
        if (!this.isInward(link)) found.add(this.source[link]);
      }
      return found.size;
    });
  }
}

// Numbers of links by the node at one of their ends.
function grouped(ends, count) {
  const start = new Uint32Array(count + 1);
  for (const end of ends) start[end + 1] += 1;
  for (let node = 0; node < count; node += 1) start[node + 1] += start[node];
  const next = start.slice();
  const links = new Uint32Array(ends.length);
  ends.forEach((end, link) => {
    links[next[end]] = link;
    next[end] += 1;
  });
  return { of: (node) => links.subarray(start[node], start[node + 1]) };
}

function tally(texts) {
  const found = new Map();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

const LONGEST = 36;

function shortened(text) {
  const letters = [...text];
  if (letters.length <= LONGEST) return text;
  return `${letters.slice(0, 22).join("")}…${letters.slice(-13).join("")}`;
}
