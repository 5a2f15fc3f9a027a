// The map drawn by sigma.js; labels and what is in focus lie on a canvas above it.

import { createNodeBorderProgram } from "@sigma/node-border";
import { DirectedGraph } from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram, EdgeRectangleProgram, createEdgeArrowProgram } from "sigma/rendering";

import { paint } from "./canvas.js";
import { labelOrder } from "./labels.js";
import { PAPER, bands, channels, isMany, linkStyle } from "./paint.js";
import { ARROW, focused } from "./scene.js";

const PADDING = 36;
const AT_ONCE = { x: 0.5, y: 0.5, angle: 0, ratio: 1 };
const CLOSEST = 0.01;
const FARTHEST = 4;

// As many bands as a node can have; see bands() in paint.js.
const BANDS = 5;
const disc = createNodeBorderProgram({
  borders: Array.from({ length: BANDS }, (_, band) => ({
    size: band === BANDS - 1 ? { fill: true } : { attribute: `share${band}`, defaultValue: 0 },
    color: { attribute: `colour${band}`, defaultValue: PAPER },
  })),
});
const arrow = createEdgeArrowProgram({
  lengthToThicknessRatio: ARROW.length,
  widenessToThicknessRatio: 2 * ARROW.half,
});

// Sigma asks the graphics card for the colour of a pixel; the distances are faster.
class Renderer extends Sigma {
  getNodeAtPosition({ x, y }) {
    const node = this.mouseCaptor?.isMoving || !this.stage ? -1 : this.stage.hit(x, y);
    return node < 0 || !this.graph.hasNode(String(node)) ? null : String(node);
  }
}

export function hasWebgl() {
  const probe = document.createElement("canvas");
  const context = probe.getContext("webgl2") ?? probe.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

export class WebglView {
  constructor(box, stage, events) {
    this.box = box;
    this.stage = stage;
    this.look = stage.look;
    this.gl = box.appendChild(document.createElement("div"));
    this.gl.className = "gl";
    this.over = box.appendChild(document.createElement("canvas"));
    this.over.className = "over";
    this.sigma = new Renderer(new DirectedGraph(), this.gl, this.settings());
    this.sigma.stage = stage;
    this.camera = this.sigma.getCamera();
    this.listen(events);
    this.rebox();
  }

  settings() {
    return {
      renderLabels: false,
      defaultDrawNodeHover: () => {},
      stagePadding: PADDING,
      enableCameraRotation: false,
      minCameraRatio: CLOSEST,
      maxCameraRatio: FARTHEST,
      minEdgeThickness: 1.2,
      defaultNodeType: "disc",
      nodeProgramClasses: { disc },
      nodeHoverProgramClasses: { disc },
      edgeProgramClasses: { arrow, line: EdgeRectangleProgram, thin: EdgeLineProgram },
      nodeReducer: (key) => this.node(Number(key)),
      edgeReducer: (key) => this.edge(Number(key)),
      allowInvalidContainer: true,
    };
  }

  listen({ hover, pick, trouble }) {
    this.sigma.on("enterNode", ({ node }) => hover(Number(node)));
    this.sigma.on("leaveNode", () => hover(-1));
    this.sigma.on("leaveStage", () => hover(-1));
    this.sigma.on("clickNode", ({ node }) => pick(Number(node)));
    this.sigma.on("clickStage", () => pick(-1));
    this.sigma.on("afterRender", () => this.drawOver());
    for (const canvas of Object.values(this.sigma.getCanvases())) {
      canvas.addEventListener("webglcontextlost", () => this.alive && trouble());
    }
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.box);
    this.alive = true;
  }

  node(node) {
    const { look, stage } = this;
    const size = stage.base(node);
    const shown = { size, hidden: !look.shown[node], type: "disc" };
    return { ...this.place(node), ...shown, ...this.banded(node, size) };
  }

  banded(node, size) {
    const made = bands(this.look.model, node, this.look.colour(node), size);
    const attributes = {};
    made.forEach(([share, colour], place) => {
      const band = place === made.length - 1 ? BANDS - 1 : place;
      attributes[`share${band}`] = share;
      attributes[`colour${band}`] = colour;
    });
    return attributes;
  }

  edge(link) {
    const { look } = this;
    const style = linkStyle(look.model, look, link);
    const type = style.arrow ? "arrow" : isMany(look.model) ? "thin" : "line";
    // Sigma blends colours that are multiplied by their alpha.
    const colour = channels(style.colour).map((value) => Math.round(value * style.alpha));
    return {
      color: `rgba(${colour.join(",")},${style.alpha})`,
      size: style.width,
      hidden: !look.shows(link),
      type,
    };
  }

  // After a choice of what is shown, and how; places as they were.
  refresh() {
    this.order = labelOrder(this.look);
    if (this.withPeriphery !== this.look.periphery) this.load();
    else this.sigma.scheduleRefresh();
  }

  // Small nodes come last, and so lie on top; what cannot be shown is not loaded.
  load() {
    const { model, radius, periphery } = this.look;
    const graph = new DirectedGraph({ allowSelfLoops: false });
    const end = periphery ? model.count : model.core;
    const nodes = Array.from({ length: end }, (_, node) => node);
    nodes.sort((one, other) => model.isCore(one) - model.isCore(other) || radius[other] - radius[one]);
    for (const node of nodes) graph.addNode(node, this.place(node));
    const links = periphery ? model.links : model.edges;
    for (let number = links - 1; number >= 0; number -= 1) {
      graph.addEdgeWithKey(number, model.source[number], model.target[number]);
    }
    this.withPeriphery = periphery;
    this.sigma.setGraph(graph);
  }

  // After places have changed: the whole map is shown.
  rebox() {
    this.order = labelOrder(this.look);
    this.sigma.setCustomBBox(this.look.box());
    this.sigma.setGraph(new DirectedGraph());
    this.sigma.refresh();
    this.measure();
    this.camera.setState(AT_ONCE);
    this.load();
  }

  // After nodes have moved within their box.
  moved() {
    const graph = this.sigma.getGraph();
    graph.updateEachNodeAttributes((key) => this.place(Number(key)), { attributes: ["x", "y"] });
  }

  place(node) {
    return { x: this.look.x[node], y: this.look.y[node] };
  }

  // Pixels of a unit of the layout when the whole map is seen.
  measure() {
    const { a } = this.affine({ cameraState: AT_ONCE });
    const before = this.stage.unit;
    this.stage.see({ ...this.affine(), unit: a, zoom: 1 / this.camera.ratio, ...this.sigma.getDimensions() });
    return this.stage.unit !== before;
  }

  resized() {
    this.sigma.resize();
    if (this.measure()) this.sigma.scheduleRefresh();
    else this.sigma.scheduleRender();
  }

  affine(seen) {
    const from = this.sigma.graphToViewport({ x: 0, y: 0 }, seen);
    const to = this.sigma.graphToViewport({ x: 1000, y: 1000 }, seen);
    return { a: (to.x - from.x) / 1000, d: (to.y - from.y) / 1000, e: from.x, f: from.y };
  }

  drawOver() {
    const { stage, over } = this;
    const { width, height } = this.sigma.getDimensions();
    stage.see({ ...this.affine(), unit: stage.unit, zoom: 1 / this.camera.ratio, width, height });
    const dense = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * dense), Math.round(height * dense)];
    if (over.width !== across || over.height !== down) Object.assign(over, { width: across, height: down });
    const pen = over.getContext("2d");
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    paint(pen, [focused(stage, this.order)]);
    this.gl.classList.toggle("back", this.look.inFocus() >= 0);
  }

  focus() {
    this.drawOver();
  }

  pan(x, y) {
    // What was drawn last may have been seen from elsewhere.
    const now = { cameraState: this.camera.getState() };
    const from = this.sigma.viewportToFramedGraph({ x: 0, y: 0 }, now);
    const to = this.sigma.viewportToFramedGraph({ x, y }, now);
    this.camera.setState({ x: this.camera.x + to.x - from.x, y: this.camera.y + to.y - from.y });
  }

  zoom(factor) {
    this.camera.setState({ ratio: this.camera.getBoundedRatio(this.camera.ratio / factor) });
  }

  whole() {
    this.camera.setState(AT_ONCE);
  }

  // Bring a node to the middle, close enough to read what is around it.
  goTo(node, zoom) {
    const { x, y } = this.sigma.viewportToFramedGraph({ x: this.stage.px[node], y: this.stage.py[node] });
    this.camera.setState({ x, y, ratio: Math.min(this.camera.ratio, 1 / zoom) });
  }

  kill() {
    this.alive = false;
    this.observer.disconnect();
    this.sigma.kill();
    this.gl.remove();
    this.over.remove();
  }
}
