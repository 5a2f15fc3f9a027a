// Opens the map: reads the data, draws, and has page and map answer each other.

import { fillControls, listen, showControls } from "./controls.js";
import { inflate } from "./data.js";
import { picture, savePng, saveSvg } from "./exporting.js";
import { by, tag } from "./html.js";
import { fillLegend } from "./legend.js";
import { Live } from "./live.js";
import { Look } from "./look.js";
import { Model } from "./model.js";
import { Panel } from "./panel.js";
import { Search } from "./search.js";
import { Stage } from "./stage.js";
import { SvgView } from "./svgview.js";
import { WebglView, hasWebgl } from "./webgl.js";
import { counted } from "./words.js";

const STEP = 60; // pixels for an arrow key
const CLOSER = 1.4;
const NEAR = 2.5; // zoom at which a searched node is shown

class App {
  constructor(content) {
    this.model = new Model(content);
    this.look = new Look(this.model);
    this.stage = new Stage(this.look);
    this.name = fileName(content.title);
    by("title").textContent = content.title || "Issue network";
    by("facts").textContent = content.facts.join(" · ");
    listDecisions(content.decisions);
    by("app").hidden = false;
    this.panel = new Panel(this.model, { select: (node) => this.select(node, true) });
    this.search = new Search(this.model, (node) => this.select(node, true));
    this.live_ = new Live(this.look, () => this.view.moved());
    this.begin(hasWebgl());
    fillControls(this.look);
    listen(this.look, this);
    this.keys();
    this.paper();
    this.told();
  }

  begin(webgl) {
    const events = {
      hover: (node) => this.hover(node),
      pick: (node) => this.select(node, false),
      trouble: () => this.withoutWebgl(),
    };
    const View = webgl ? WebglView : SvgView;
    this.view = new View(by("map"), this.stage, events);
    by("app").dataset.view = webgl ? "webgl" : "svg";
  }

  withoutWebgl() {
    this.view.kill();
    this.begin(false);
  }

  hover(node) {
    if (node === this.look.focus) return;
    this.look.focus = node;
    by("map").classList.toggle("over", node >= 0);
    this.view.focus();
  }

  // Open a node's panel, or close it; *near* brings the node into view.
  select(node, near) {
    const { look, model } = this;
    if (node >= 0 && !look.shown[node]) this.reveal(node);
    look.selected = node;
    look.focus = -1;
    const had = !by("panel").hidden && by("panel").contains(document.activeElement);
    this.panel.show(node);
    by("app").classList.toggle("with-panel", node >= 0);
    if (node < 0 && had) by("map").focus({ preventScroll: true });
    if (node >= 0 && near) {
      this.view.goTo(node, model.count > 30 ? NEAR : 1);
      this.view.pan(this.panel.covers(by("map")) / 2, 0);
    }
    this.view.focus();
  }

  // A node that a filter hides is shown all the same when it is asked for.
  reveal(node) {
    const { look, model } = this;
    Object.assign(look, { category: "", inlinks: 0, degree: 0 });
    look.off.clear();
    if (!model.isCore(node)) return this.periphery(true);
    return this.filter(() => {});
  }

  restyle(change) {
    change();
    this.changed();
  }

  filter(change) {
    change();
    this.look.filter();
    this.changed();
  }

  periphery(is) {
    this.stopLive();
    this.look.periphery = is;
    this.look.filter();
    this.view.rebox();
    this.changed();
  }

  place(layout) {
    this.stopLive();
    this.look.place(layout);
    this.view.rebox();
    this.changed();
  }

  changed() {
    if (this.live_.running) this.restartLive();
    showControls(this.look);
    fillLegend(by("legend"), this.look, () => this.filter(() => {}));
    this.view.refresh();
    this.told();
  }

  live() {
    if (this.live_.running) this.stopLive();
    else this.live_.start();
    this.showLive();
  }

  restartLive() {
    this.live_.stop();
    this.live_.start();
  }

  stopLive() {
    this.live_.stop();
    this.showLive();
  }

  showLive() {
    const { running } = this.live_;
    by("live").setAttribute("aria-pressed", String(running));
    by("live").textContent = running ? "Stop ForceAtlas2" : "Run ForceAtlas2";
    this.told();
  }

  png() {
    savePng(this.stage, this.name).catch((error) => this.say(`No PNG could be made: ${error.message}. SVG has no such limit.`));
  }

  svg() {
    saveSvg(this.stage, this.name);
  }

  print() {
    window.print();
  }

  reset() {
    this.stopLive();
    this.select(-1, false);
    this.look.reset();
    this.view.rebox();
    this.changed();
  }

  closer() {
    this.view.zoom(CLOSER);
  }

  farther() {
    this.view.zoom(1 / CLOSER);
  }

  whole() {
    this.view.whole();
  }

  told() {
    const { look, model } = this;
    const shown = look.shownNodes();
    const nodes = shown.filter((node) => model.isCore(node)).length;
    const around = look.periphery ? `, ${(shown.length - nodes).toLocaleString("en")} around it` : "";
    const links = look.shownLinks().filter((link) => !model.isInward(link)).length;
    const of = nodes < model.core ? ` of ${model.core.toLocaleString("en")}` : "";
    const core = `${nodes.toLocaleString("en")}${of} ${model.core === 1 ? "actor" : "actors"}${around}`;
    const running = this.live_?.running ? "; ForceAtlas2 is running" : "";
    this.say(model.core ? `${core}, ${counted(links, "link")}${running}` : "The analysis kept nobody: there is no core to draw.");
  }

  say(words) {
    by("status").textContent = words;
  }

  keys() {
    const moves = {
      ArrowLeft: () => this.view.pan(-STEP, 0),
      ArrowRight: () => this.view.pan(STEP, 0),
      ArrowUp: () => this.view.pan(0, -STEP),
      ArrowDown: () => this.view.pan(0, STEP),
      "+": () => this.closer(),
      "=": () => this.closer(),
      "-": () => this.farther(),
      0: () => this.whole(),
      Escape: () => this.select(-1, false),
    };
    by("map").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
      event.preventDefault();
      moves[event.key]();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      by("search").focus();
    });
  }

  // Paper gets the map as it is seen, as SVG: a canvas prints coarse.
  paper() {
    window.addEventListener("beforeprint", () => by("paper").replaceChildren(picture(this.stage)));
    window.addEventListener("afterprint", () => by("paper").replaceChildren());
  }
}

function listDecisions(decisions) {
  const box = by("decisions");
  box.hidden = decisions.length === 0;
  box.querySelector("summary").textContent = `${counted(decisions.length, "decision")} applied`;
  box.querySelector("ul").append(...decisions.map((words) => tag("li", { dir: "auto" }, words)));
}

function fileName(title) {
  const name = (title ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return [...name].slice(0, 60).join("") || "issue-network";
}

function trouble(error) {
  const box = by("trouble");
  box.hidden = false;
  box.textContent = `This map cannot be drawn: ${error.message}. A current Firefox, Chromium, Edge or Safari draws it.`;
  throw error;
}

inflate("content")
  .then((content) => {
    const app = new App(content);
    app.changed();
    requestAnimationFrame(() => performance.mark("map drawn"));
  })
  .catch(trouble);
