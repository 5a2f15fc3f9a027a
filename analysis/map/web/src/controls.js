// The form beside the map: what is shown, and how.

import { by, tag } from "./html.js";
import { COLOURINGS, LAYOUTS, MEASURES, counted } from "./words.js";

// A filter that is typed waits for the next key.
const PAUSE = 150;

export function fillControls(look) {
  const { model } = look;
  const { content } = model;
  choices("colour", content.colourings.map(({ by: name }) => [name, COLOURINGS[name] ?? name]), look.colouring.by);
  choices("size", content.sizes.map((name) => [name, MEASURES[name]]), look.size);
  choices("layout", model.layouts.map((name) => [name, LAYOUTS[name] ?? name]), look.layout);
  const { table, of } = content.texts.category;
  const held = new Set(of.slice(0, model.core));
  const categories = table.filter((_, place) => held.has(place));
  // A name could be empty, or "all": values carry a sign before the name.
  choices("category", [["", "all"], ...categories.sort().map((name) => [`=${name}`, name || "none"])], look.category);
  const outside = model.count - model.core;
  by("periphery-label").textContent = outside ? `Periphery (${counted(outside, model.content.mode === "page" ? "page" : "site")})` : "Periphery (none)";
  by("periphery").disabled = outside === 0;
  showControls(look);
}

export function showControls(look) {
  by("colour").value = look.colouring.by;
  by("size").value = look.size;
  by("layout").value = look.layout;
  by("category").value = look.category;
  by("inlinks").value = look.inlinks;
  by("degree").value = look.degree;
  by("periphery").checked = look.periphery;
}

function choices(id, options, chosen) {
  const select = by(id);
  select.replaceChildren(...options.map(([value, name]) => tag("option", { value, selected: value === chosen }, name)));
  select.disabled = options.length < 2;
}

// *act* has a function for each control; see main.js.
export function listen(look, act) {
  by("controls").addEventListener("submit", (event) => event.preventDefault());
  on("colour", "change", (value) => act.restyle(() => look.colourBy(value)));
  on("size", "change", (value) => act.restyle(() => look.sizeBy(value)));
  on("layout", "change", (value) => act.place(value));
  on("category", "change", (value) => act.filter(() => (look.category = value)));
  typed("inlinks", (value) => act.filter(() => (look.inlinks = value)));
  typed("degree", (value) => act.filter(() => (look.degree = value)));
  by("periphery").addEventListener("change", ({ target }) => act.periphery(target.checked));
  for (const id of ["live", "png", "svg", "print", "reset", "closer", "farther", "whole"]) {
    by(id).addEventListener("click", () => act[id]());
  }
  by("menu").addEventListener("click", ({ currentTarget }) => {
    const open = document.body.classList.toggle("open");
    currentTarget.setAttribute("aria-expanded", String(open));
  });
}

function on(id, event, then) {
  by(id).addEventListener(event, ({ target }) => then(target.value));
}

function typed(id, then) {
  let later;
  by(id).addEventListener("input", ({ target }) => {
    clearTimeout(later);
    later = setTimeout(() => then(Math.max(Number(target.value) || 0, 0)), PAUSE);
  });
}
