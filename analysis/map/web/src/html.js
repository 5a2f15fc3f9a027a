// Makes elements; text is always set as text, so nothing from a page is read as HTML.

export function tag(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null && child !== false));
  return made;
}

export function by(id) {
  return document.getElementById(id);
}

// A link to a page of the Web; any other address is no more than its text.
export function pageLink(address, ...children) {
  const inside = children.length ? children : [address];
  if (!/^https?:\/\//i.test(address)) return tag("span", { class: "address", dir: "auto" }, ...inside);
  return tag(
    "a",
    { class: "address", href: address, target: "_blank", rel: "noopener noreferrer", dir: "auto" },
    ...inside,
  );
}
