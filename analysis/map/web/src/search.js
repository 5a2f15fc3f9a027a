// The search box: a combobox by the ARIA authoring practices, with a list of actors.

import { by, tag } from "./html.js";

const MOST = 12;

export class Search {
  constructor(model, choose) {
    this.model = model;
    this.choose = choose;
    this.input = by("search");
    this.list = by("found");
    this.found = [];
    this.active = -1;
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("focus", () => this.look());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
  }

  look() {
    const wanted = this.input.value.trim().toLowerCase();
    this.found = wanted ? matching(this.model, wanted) : [];
    this.active = this.found.length ? 0 : -1;
    const none = wanted && !this.found.length;
    const lines = this.found.map((node, place) => this.line(node, place));
    this.list.replaceChildren(...(none ? [tag("li", { class: "none" }, "No such actor")] : lines));
    this.open(lines.length > 0 || none);
  }

  line(node, place) {
    const { model } = this;
    const id = model.isOpen(node) ? tag("span", { class: "facts", dir: "auto" }, model.content.ids[node]) : null;
    const role = model.isCore(node) ? model.text("category", node) || "core" : "periphery";
    return tag(
      "li",
      {
        id: `found-${place}`,
        role: "option",
        "aria-selected": String(place === this.active),
        // Before the box loses the focus, which closes the list.
        mousedown: (event) => {
          event.preventDefault();
          this.take(place);
        },
      },
      tag("span", { class: "name", dir: "auto" }, model.labels[node], id),
      tag("span", { class: "count" }, role),
    );
  }

  key(event) {
    if (event.key === "Escape") {
      if (this.list.hidden) this.input.blur();
      this.close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.take(this.active);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.step(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  step(by_) {
    if (!this.found.length) return;
    this.active = (this.active + by_ + this.found.length) % this.found.length;
    [...this.list.children].forEach((line, place) => {
      line.setAttribute("aria-selected", String(place === this.active));
      if (place === this.active) line.scrollIntoView({ block: "nearest" });
    });
    this.open(true);
  }

  take(place) {
    const node = this.found[place];
    if (node === undefined) return;
    this.input.value = "";
    this.found = [];
    this.close();
    this.choose(node);
  }

  open(is) {
    this.list.hidden = !is;
    this.input.setAttribute("aria-expanded", String(is));
    if (is && this.active >= 0) this.input.setAttribute("aria-activedescendant", `found-${this.active}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    this.open(false);
  }
}

// Names that begin so come first, then words that do, then all others; the core before
// the periphery, as nodes are numbered.
function matching(model, wanted) {
  const ranked = [[], [], []];
  model.folded.forEach((text, node) => {
    const at = text.indexOf(wanted);
    if (at < 0) return;
    const before = text[at - 1];
    const rank = at === 0 ? 0 : /[\p{L}\p{N}]/u.test(before) ? 2 : 1;
    ranked[rank].push(node);
  });
  return ranked.flat().slice(0, MOST);
}
