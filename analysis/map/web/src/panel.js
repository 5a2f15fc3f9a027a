// The panel of a node: why it is in, how it stands, what could not be seen, who links to it.

import { evidenceOf } from "./evidence.js";
import { by, pageLink, tag } from "./html.js";
import { MEASURES, changeName, counted, figure, ordinal } from "./words.js";

const FIRST = 20; // rows of a list before "show all"
const LEAST = 60; // pixels beside the panel

export class Panel {
  constructor(model, { select }) {
    this.model = model;
    this.select = select;
    this.box = by("panel");
    this.box.addEventListener("keydown", (event) => event.key === "Escape" && select(-1));
  }

  show(node) {
    this.node = node;
    this.box.hidden = node < 0;
    if (node < 0) return this.box.replaceChildren();
    const links = tag("section", {}, tag("h3", {}, "Linked from"), tag("p", { class: "facts" }, "Reading the evidence…"));
    this.box.replaceChildren(
      this.head(node),
      this.reasons(node),
      this.standing(node),
      this.sight(node),
      links,
      this.linksTo(node),
    );
    this.box.scrollTop = 0;
    this.box.focus({ preventScroll: true });
    return this.evidence(node, links);
  }

  // Pixels of the map's width that the panel lies on, where it leaves enough for a node.
  covers(map) {
    const { right, width } = map.getBoundingClientRect();
    const hidden = right - this.box.getBoundingClientRect().left;
    return hidden > 0 && hidden < width - LEAST ? hidden : 0;
  }

  head(node) {
    const { model } = this;
    const url = model.content.urls[node];
    const close = tag("button", { type: "button", class: "close", "aria-label": "Close", click: () => this.select(-1) }, "×");
    return tag("header", {}, close, tag("h2", { dir: "auto" }, model.names[node]), url ? tag("p", {}, pageLink(url)) : null);
  }

  reasons(node) {
    const { model } = this;
    const text = (name) => model.text(name, node);
    const rows = [
      ["role", model.isCore(node) ? "core" : "periphery: it links into the network and was not kept"],
      ["why it is in", text("why")],
      ["change", changeName(text("change"))],
      ["its pages", text("looks")],
      ["category", text("category")],
      ["tags", text("tags")],
      ["starting point", model.starting.has(node) ? "yes" : ""],
    ];
    const share = model.content.stability[node];
    if (share != null) rows.push(["stability", `kept by ${Math.round(share * 100)} % of the variants`]);
    return tag("dl", {}, ...rows.filter(([, value]) => value).flatMap(([name, value]) => [tag("dt", {}, name), tag("dd", { dir: "auto" }, value)]));
  }

  standing(node) {
    const { model } = this;
    const rows = Object.keys(MEASURES)
      .filter((name) => model.value(name, node) != null)
      .map((name) => {
        // Those at nothing share the last rank, which says nothing either.
        const rank = model.isCore(node) && model.value(name, node) > 0 ? model.ranks(name).get(node) : undefined;
        return tag(
          "tr",
          {},
          tag("th", { scope: "row" }, MEASURES[name]),
          tag("td", {}, figure(model.value(name, node))),
          tag("td", { class: "rank" }, rank ? ordinal(rank) : ""),
        );
      });
    if (!rows.length) return "";
    const note = model.content.sample ? `Betweenness is estimated from ${figure(model.content.sample)} nodes.` : "";
    return tag(
      "section",
      {},
      tag("h3", {}, "How it stands"),
      tag("table", {}, tag("thead", {}, tag("tr", {}, ...["measure", "value", "rank"].map((name) => tag("th", { scope: "col" }, name)))), tag("tbody", {}, ...rows)),
      note ? tag("p", { class: "facts" }, note) : null,
    );
  }

  sight(node) {
    const seen = this.model.coverageOf(node);
    if (!seen) return "";
    const ends = [[seen.redirected, "redirected"], [seen.gone, "gone"]].filter(([pages]) => pages);
    const said = [`Retrieved ${figure(seen.seen)} of ${counted(seen.due, "address", "addresses")} due`];
    said.push(...ends.map(([pages, word]) => `${figure(pages)} ${word}`));
    const unseen = seen.unseen.map(([reason, pages]) => tag("li", {}, `${reason}: ${figure(pages)}`));
    if (seen.scripted) unseen.push(tag("li", {}, `seems to need JavaScript: ${counted(seen.scripted, "page")}`));
    if (seen.excluded) unseen.push(tag("li", {}, `excluded from the crawl: ${counted(seen.excluded, "address", "addresses")} it links to`));
    const warning = unseen.length
      ? [tag("p", { class: "warning" }, "A link that is missing here may only not have been seen:"), tag("ul", {}, ...unseen)]
      : [];
    return tag("section", {}, tag("h3", {}, "What could be seen"), tag("p", {}, `${said.join(", ")}.`), ...warning);
  }

  async evidence(node, section) {
    let rows;
    try {
      rows = await evidenceOf(this.model, node);
    } catch (error) {
      section.lastChild.textContent = `The evidence cannot be read: ${error.message}`;
      return;
    }
    if (this.node !== node) return;
    section.replaceChildren(tag("h3", {}, "Linked from"), ...this.linkedFrom(node, rows));
  }

  linkedFrom(node, rows) {
    if (!rows) return this.withoutEvidence(node);
    const total = rows.reduce((sum, row) => sum + row.total, 0);
    const most = rows.some((row) => row.total > row.links.length) ? this.shortened() : "";
    const voters = new Set(rows.map((row) => row.voter)).size;
    return [
      tag("p", { class: "facts" }, `${counted(total, "link")} from ${counted(rows.length, "actor")}, ${counted(voters, "domain")}.${most}`),
      ...this.list(rows, (row) => this.linking(row)),
    ];
  }

  // A comparison has no evidence.csv beside it.
  shortened() {
    const { evidence, listed } = this.model.content;
    const best = evidence.shown === 1 ? "The best one of each is shown" : `The best ${evidence.shown} of each are shown`;
    return ` ${best}${listed ? "; evidence.csv has all" : ""}.`;
  }

  withoutEvidence(node) {
    const from = [...this.model.in.of(node)].map((link) => this.model.source[link]);
    const { nodes, of } = this.model.content.evidence;
    const why = nodes > of.length ? "There was no room for its evidence in this file; evidence.csv has it." : "No evidence is held.";
    return [tag("p", { class: "facts" }, why), ...this.list(from, (other) => tag("li", {}, this.actor(other)))];
  }

  linking(row) {
    const name = row.node >= 0 ? this.actor(row.node) : tag("span", { class: "name", dir: "auto" }, row.name);
    return tag(
      "li",
      {},
      tag("div", { class: "from" }, name, tag("span", { class: "count" }, counted(row.total, "link"))),
      tag("ul", { class: "links" }, ...row.links.map((link) => this.link(link))),
    );
  }

  link({ source, target, anchor, placement, rel, fetched }) {
    const where = [placement, rel, fetched.slice(0, 10)].filter(Boolean).join(" · ");
    return tag(
      "li",
      {},
      tag("q", { dir: "auto" }, anchor || "no text"),
      " on ",
      pageLink(source),
      tag("span", { class: "facts", title: `to ${target}` }, where),
    );
  }

  linksTo(node) {
    const { model } = this;
    const links = [...model.out.of(node)].sort((one, other) => model.weight[other] - model.weight[one] || one - other);
    if (!links.length) return tag("section", {}, tag("h3", {}, "Links to"), tag("p", { class: "facts" }, "No link to the core was seen."));
    const row = (link) => {
      const change = model.change(link);
      const said = [counted(model.weight[link], "link"), change && change !== "stayed" ? changeName(change) : ""];
      return tag("li", {}, tag("div", { class: "from" }, this.actor(model.target[link]), tag("span", { class: "count" }, said.filter(Boolean).join(", "))));
    };
    return tag("section", {}, tag("h3", {}, "Links to"), ...this.list(links, row));
  }

  actor(node) {
    return tag("button", { type: "button", class: "actor", dir: "auto", click: () => this.select(node) }, this.model.labels[node]);
  }

  // The first rows, and a button for the rest.
  list(rows, line) {
    const box = tag("ul", { class: "rows" }, ...rows.slice(0, FIRST).map(line));
    if (rows.length <= FIRST) return [box];
    const more = tag("button", { type: "button", class: "more" }, `Show all ${figure(rows.length)}`);
    more.addEventListener("click", () => {
      box.append(...rows.slice(FIRST).map(line));
      more.remove();
    });
    return [box, more];
  }
}
