// The map as SVG, for a browser without WebGL: the same view, drawn by the document.

import { labelOrder } from "./labels.js";
import { FAINT, focused, scene } from "./scene.js";
import { drawing, element, group } from "./vector.js";

const PADDING = 36;
const CLOSEST = 100;
const FARTHEST = 0.25;
const STILL = 120; // milliseconds without a movement, after which all is drawn anew
const STEP = 0.0015; // zoom for a pixel of the wheel

export class SvgView {
  constructor(box, stage, events) {
    this.box = box;
    this.stage = stage;
    this.look = stage.look;
    this.svg = box.appendChild(drawing(1, 1));
    this.svg.setAttribute("class", "svg");
    this.all = this.svg.appendChild(element("g"));
    this.listen(events);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(box);
    this.rebox();
  }

  listen({ hover, pick }) {
    let from = null;
    let wandered = 0;
    this.svg.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      wandered = 0;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from) return hover(this.at(event));
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      wandered += Math.hypot(x, y);
      from = [event.clientX, event.clientY];
      if (wandered < 4) return undefined;
      this.svg.setPointerCapture(event.pointerId);
      return this.pan(-x, -y);
    });
    this.svg.addEventListener("pointerup", () => (from = null));
    this.svg.addEventListener("pointercancel", () => (from = null));
    this.svg.addEventListener("pointerleave", () => hover(-1));
    this.svg.addEventListener("click", (event) => wandered < 4 && pick(this.at(event)));
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  at(event) {
    const { left, top } = this.svg.getBoundingClientRect();
    return this.stage.hit(event.clientX - left, event.clientY - top);
  }

  wheel(event) {
    event.preventDefault();
    const { left, top, width, height } = this.svg.getBoundingClientRect();
    const before = this.camera.zoom;
    this.zoom(Math.exp(-event.deltaY * STEP));
    // What is under the pointer stays there.
    const grown = this.camera.zoom / before - 1;
    this.pan((event.clientX - left - width / 2) * grown, (event.clientY - top - height / 2) * grown);
  }

  refresh() {
    this.order = labelOrder(this.look);
    this.draw();
  }

  rebox() {
    const { x, y } = this.look.box();
    this.bounds = { x, y };
    this.order = labelOrder(this.look);
    this.whole();
  }

  moved() {
    this.draw();
  }

  // How places become pixels, the camera being in the middle of the screen.
  affine() {
    const width = Math.max(this.box.clientWidth, 2 * PADDING + 1);
    const height = Math.max(this.box.clientHeight, 2 * PADDING + 1);
    const [x, y] = [this.bounds.x, this.bounds.y];
    const unit = Math.min(
      (width - 2 * PADDING) / (x[1] - x[0] || 1),
      (height - 2 * PADDING) / (y[1] - y[0] || 1),
    );
    const a = unit * this.camera.zoom;
    const e = width / 2 - a * this.camera.x;
    const f = height / 2 + a * this.camera.y;
    return { a, d: -a, e, f, unit, zoom: this.camera.zoom, width, height };
  }

  draw() {
    clearTimeout(this.later);
    const seen = this.affine();
    this.stage.see(seen);
    this.drawn = seen;
    this.svg.setAttribute("viewBox", `0 0 ${seen.width} ${seen.height}`);
    this.svg.setAttribute("width", seen.width);
    this.svg.setAttribute("height", seen.height);
    this.all.removeAttribute("transform");
    this.all.replaceChildren(...scene(this.stage, this.order).map(group));
  }

  // What was drawn is moved; it is drawn anew when all is still.
  move() {
    const now = this.affine();
    const scale = now.a / this.drawn.a;
    const [x, y] = [now.e - scale * this.drawn.e, now.f - scale * this.drawn.f];
    this.all.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    this.stage.see(now);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.draw(), STILL);
  }

  focus() {
    const [lines, discs, front] = this.all.children;
    if (!front) return;
    const layer = focused(this.stage, this.order);
    const opacity = layer.discs.length ? FAINT : 1;
    lines.setAttribute("opacity", opacity);
    discs.setAttribute("opacity", opacity);
    front.replaceWith(group(layer));
  }

  pan(x, y) {
    const { a } = this.affine();
    this.camera.x += x / a;
    this.camera.y -= y / a;
    this.move();
  }

  zoom(factor) {
    this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, FARTHEST), CLOSEST);
    this.move();
  }

  whole() {
    const [x, y] = [this.bounds.x, this.bounds.y];
    this.camera = { x: (x[0] + x[1]) / 2, y: (y[0] + y[1]) / 2, zoom: 1 };
    this.draw();
  }

  goTo(node, zoom) {
    const { x, y } = this.look;
    this.camera = { x: x[node], y: y[node], zoom: Math.max(this.camera.zoom, zoom) };
    this.draw();
  }

  kill() {
    clearTimeout(this.later);
    this.observer.disconnect();
    this.svg.remove();
  }
}
