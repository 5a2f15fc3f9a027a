// ForceAtlas2 in a worker, from where the nodes are, until it is stopped.

import { UndirectedGraph } from "graphology";
import { inferSettings } from "graphology-layout-forceatlas2";
import Supervisor from "graphology-layout-forceatlas2/worker";

export class Live {
  constructor(look, moved) {
    this.look = look;
    this.moved = moved;
    this.supervisor = null;
  }

  get running() {
    return this.supervisor !== null;
  }

  start() {
    const { look } = this;
    this.graph = new UndirectedGraph();
    this.nodes = look.shownNodes();
    for (const node of this.nodes) {
      this.graph.addNode(node, { x: look.x[node], y: look.y[node], size: look.radius[node] });
    }
    for (const link of look.shownLinks()) this.join(link);
    this.extent = extent(this.nodes, look.x, look.y);
    this.graph.on("eachNodeAttributesUpdated", () => this.update());
    this.supervisor = new Supervisor(this.graph, { settings: inferSettings(this.graph) });
    this.supervisor.start();
  }

  join(link) {
    const { source, target, weight } = this.look.model;
    this.graph.updateEdge(source[link], target[link], ({ weight: before = 0 }) => ({ weight: before + weight[link] }));
  }

  // The forces work in a scale of their own: centre and extent stay what they were.
  update() {
    const { look, nodes, graph } = this;
    const x = new Float64Array(look.x.length);
    const y = new Float64Array(look.y.length);
    for (const node of nodes) ({ x: x[node], y: y[node] } = graph.getNodeAttributes(node));
    const now = extent(nodes, x, y);
    const scale = Math.min(...["wide", "high"].map((side) => (now[side] > 0 ? this.extent[side] / now[side] : Infinity)));
    if (!Number.isFinite(scale)) return;
    for (const node of nodes) {
      look.x[node] = this.extent.x + (x[node] - now.x) * scale;
      look.y[node] = this.extent.y + (y[node] - now.y) * scale;
    }
    this.moved();
  }

  stop() {
    this.supervisor?.kill();
    this.supervisor = null;
  }
}

// The middle of a box around the nodes, and its sides.
function extent(nodes, x, y) {
  const [left, right] = ends(nodes, x);
  const [bottom, top] = ends(nodes, y);
  return { x: (left + right) / 2, y: (bottom + top) / 2, wide: right - left, high: top - bottom };
}

function ends(nodes, values) {
  return nodes.reduce(([low, high], node) => [Math.min(low, values[node]), Math.max(high, values[node])], [Infinity, -Infinity]);
}
