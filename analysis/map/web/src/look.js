// What is chosen, and what follows from it: which nodes are shown, how big, in which colour.

export class Look {
  constructor(model) {
    this.model = model;
    this.shown = new Uint8Array(model.count);
    this.radius = new Float64Array(model.count);
    this.x = new Float64Array(model.count);
    this.y = new Float64Array(model.count);
    this.focus = -1; // node under the pointer
    this.selected = -1; // node whose panel is open
    this.reset();
  }

  reset() {
    const { content, layouts } = this.model;
    this.size = content.sizes[0] ?? "";
    this.colouring = content.colourings[0];
    this.category = "";
    this.inlinks = 0;
    this.degree = 0;
    this.periphery = false;
    this.off = new Set(); // lines of the legend that are switched off
    this.place(layouts.includes("cluster") ? "cluster" : layouts[0]);
    this.resize();
    this.filter();
  }

  colour(node) {
    return this.colouring.groups[this.colouring.of[node]][1];
  }

  colourBy(name) {
    this.colouring = this.model.content.colourings.find((one) => one.by === name);
    this.off = new Set();
    this.filter();
  }

  sizeBy(name) {
    this.size = name;
    this.resize();
  }

  // As analysis.paint.radius: the area of a node grows with its value.
  resize() {
    const [smallest, largest, outside] = this.model.content.radius;
    const values = this.model.content.measures[this.size] ?? [];
    let most = 0;
    for (let node = 0; node < this.model.core; node += 1) most = Math.max(most, values[node] ?? 0);
    for (let node = 0; node < this.model.count; node += 1) {
      const share = most > 0 ? Math.max(values[node] ?? 0, 0) / most : 0;
      const radius = smallest + (largest - smallest) * Math.sqrt(share);
      this.radius[node] = this.model.isCore(node) ? radius : outside;
    }
    this.most = most;
  }

  place(layout) {
    this.layout = layout;
    const { x, y } = this.model.places(layout);
    this.x.set(x);
    this.y.set(y);
  }

  // Filters choose from the core; of the periphery, what links to what is left is shown.
  filter() {
    const { model, shown } = this;
    shown.fill(0);
    for (let node = 0; node < model.core; node += 1) shown[node] = this.passes(node) ? 1 : 0;
    if (this.periphery) {
      for (let link = model.edges; link < model.links; link += 1) {
        if (shown[model.target[link]]) shown[model.source[link]] = 1;
      }
    }
    if (this.selected >= 0 && !shown[this.selected]) this.focus = -1;
  }

  passes(node) {
    const { model } = this;
    if (this.category && this.category !== `=${model.text("category", node)}`) return false;
    if ((model.value("inlinks", node) ?? 0) < this.inlinks) return false;
    if (model.neighbours[node] < this.degree) return false;
    return !this.off.has(this.colouring.of[node]);
  }

  shows(link) {
    return this.shown[this.model.source[link]] === 1 && this.shown[this.model.target[link]] === 1;
  }

  shownNodes() {
    const nodes = [];
    for (let node = 0; node < this.model.count; node += 1) if (this.shown[node]) nodes.push(node);
    return nodes;
  }

  shownLinks() {
    const links = [];
    for (let link = 0; link < this.model.links; link += 1) if (this.shows(link)) links.push(link);
    return links;
  }

  // The node that the rest steps back for.
  inFocus() {
    const node = this.focus >= 0 ? this.focus : this.selected;
    return node >= 0 && this.shown[node] ? node : -1;
  }

  // Box around all that could be shown, so that a filter does not move the map.
  box() {
    const end = this.periphery ? this.model.count : this.model.core;
    const box = { x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
    for (let node = 0; node < end; node += 1) {
      for (const axis of ["x", "y"]) {
        box[axis][0] = Math.min(box[axis][0], this[axis][node] - this.radius[node]);
        box[axis][1] = Math.max(box[axis][1], this[axis][node] + this.radius[node]);
      }
    }
    return end > 0 ? box : { x: [-1, 1], y: [-1, 1] };
  }
}
