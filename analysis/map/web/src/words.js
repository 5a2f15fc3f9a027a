// What is called what, on the page and in what is exported from it.

export const MEASURES = {
  inlinks: "inlinks",
  linking_sites: "linking sites",
  inlinks_core: "inlinks from the core",
  outlinks: "outlinks",
  voters: "voters",
  pagerank: "PageRank",
  betweenness: "betweenness",
  hub: "hub (HITS)",
  hits_authority: "authority (HITS)",
  reciprocity: "reciprocity",
  k_core: "k-core",
};

export const COLOURINGS = {
  change: "change",
  category: "category",
  community: "community",
  role: "core and periphery",
  retained_at: "retained at",
};

export const LAYOUTS = { cluster: "cluster map", circle: "circle map", geographic: "geographic" };

const CHANGES = {
  stayed: "stayed",
  came: "came",
  went: "went",
  unseen: "could not be seen this time",
};

// A line of the legend; *label* is a value of an attribute.
export function groupName(by, label) {
  if (label === "other" || label === "periphery" || label === "core") return label;
  if (by === "change") return CHANGES[label] ?? label;
  if (by === "community") return `community ${label}`;
  if (by === "retained_at") return retainedAt(Number(label));
  return label;
}

function retainedAt(pass) {
  if (pass < 0) return "added by a decision";
  return pass === 0 ? "starting point" : `kept by analysis ${pass}`;
}

export function changeName(change) {
  return CHANGES[change] ?? change;
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

// Shares have three digits that count; counts have all of theirs.
export function figure(value) {
  if (value == null) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Number(value.toPrecision(3)).toString();
}

export function ordinal(rank) {
  const tail = rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10;
  return `${rank.toLocaleString("en")}${["th", "st", "nd", "rd"][tail] ?? "th"}`;
}
