// Draws layers of a scene on a canvas.

import { FONT, INK, LABEL, PAPER } from "./paint.js";

export function paint(pen, layers) {
  for (const layer of layers) {
    for (const line of layer.lines) stroke(pen, line, layer.opacity);
    pen.globalAlpha = layer.opacity;
    for (const disc of layer.discs) round(pen, disc);
    for (const text of layer.texts) write(pen, text);
    pen.globalAlpha = 1;
  }
}

function stroke(pen, line, opacity) {
  pen.globalAlpha = line.alpha * opacity;
  pen.strokeStyle = line.colour;
  pen.lineWidth = line.width;
  pen.beginPath();
  pen.moveTo(line.x1, line.y1);
  pen.lineTo(line.x2, line.y2);
  pen.stroke();
  if (!line.head) return;
  const [x, y, ...rest] = line.head;
  pen.fillStyle = line.colour;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(rest[0], rest[1]);
  pen.lineTo(rest[2], rest[3]);
  pen.fill();
}

function round(pen, disc) {
  pen.beginPath();
  pen.arc(disc.x, disc.y, disc.r, 0, 2 * Math.PI);
  if (disc.fill !== "none") {
    pen.fillStyle = disc.fill;
    pen.fill();
  }
  if (disc.stroke !== "none") {
    pen.strokeStyle = disc.stroke;
    pen.lineWidth = disc.width;
    pen.stroke();
  }
}

export function write(pen, { text, x, y, weight = 500 }) {
  pen.font = `${weight} ${LABEL}px ${FONT}`;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.strokeStyle = PAPER;
  pen.lineWidth = 3;
  pen.strokeText(text, x, y);
  pen.fillStyle = INK;
  pen.fillText(text, x, y);
}
