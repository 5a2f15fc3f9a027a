// Where things are on the screen: the camera's view of the chosen places.

import { RING } from "./paint.js";

// Nodes are never drawn smaller than this, in pixels of the whole map.
const SMALLEST = 1.6;
// A pixel of a small network is not blown up further than this.
const LARGEST_UNIT = 1.5;

export class Stage {
  constructor(look) {
    this.look = look;
    this.width = 1;
    this.height = 1;
    this.zoom = 1;
    this.unit = 1;
    this.px = new Float64Array(look.model.count);
    this.py = new Float64Array(look.model.count);
  }

  // place -> pixel is (a x + e, d y + f); unit is a at zoom 1.
  see({ a, d, e, f, unit, zoom, width, height }) {
    Object.assign(this, { a, d, e, f, zoom, width, height, unit: Math.min(unit, LARGEST_UNIT) });
    const { x, y } = this.look;
    for (let node = 0; node < this.px.length; node += 1) {
      this.px[node] = a * x[node] + e;
      this.py[node] = d * y[node] + f;
    }
  }

  // Radius of a node when the whole map is seen, in pixels; rings stand around it.
  base(node) {
    const around = this.look.model.starting.has(node) ? 2 * RING : 0;
    return Math.max(this.look.radius[node] * this.unit, SMALLEST) + around;
  }

  // Nodes grow with the root of the zoom: coming closer parts what lies close together.
  grown() {
    return Math.sqrt(this.zoom);
  }

  r(node) {
    return this.base(node) * this.grown();
  }

  isOnScreen(node) {
    const r = this.r(node);
    const x = this.px[node];
    const y = this.py[node];
    return x > -r && y > -r && x < this.width + r && y < this.height + r;
  }

  // The node at a point; where several are, the one whose edge is nearest.
  hit(x, y) {
    const { shown } = this.look;
    let best = -1;
    let nearest = 3; // pixels beside a node that still count as on it
    for (let node = 0; node < shown.length; node += 1) {
      if (!shown[node]) continue;
      const distance = Math.hypot(this.px[node] - x, this.py[node] - y) - this.r(node);
      if (distance < nearest) {
        nearest = distance;
        best = node;
      }
    }
    return best;
  }
}
