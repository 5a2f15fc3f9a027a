// Builds the script of map.html: src/ and its libraries as one file, for package data.

import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";

import { build } from "esbuild";

const LIBRARIES = [
  "sigma",
  "@sigma/node-border",
  "graphology",
  "graphology-utils",
  "graphology-layout-forceatlas2",
  "events",
];
const OUT = new URL("../data/map.js", import.meta.url);

// The libraries' licences ask that their notices go with every copy.
async function notice(name) {
  const folder = new URL(`node_modules/${name}/`, import.meta.url);
  const { version, license } = JSON.parse(await readFile(new URL("package.json", folder)));
  const text = await licence(folder);
  const holders = text.split("\n").filter((line) => /copyright .*\d{4}|copyright \(c\)|copyright joyent/i.test(line));
  return ` * ${[`${name} ${version}`, license, ...holders.map((line) => line.trim())].join(", ")}`;
}

async function licence(folder) {
  for (const name of ["LICENSE.txt", "LICENSE"]) {
    try {
      return await readFile(new URL(name, folder), "utf8");
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  return "";
}

const PERMISSION = (await licence(new URL("node_modules/graphology/", import.meta.url)))
  .split("\n\n")
  .slice(2)
  .map((part) => part.trim().replaceAll("\n", " "))
  .join("\n * ");
const notices = await Promise.all(LIBRARIES.map(notice));

// Of the sources that the script is built from; tests/test_map.py holds it to them.
async function digest() {
  const folder = new URL("src/", import.meta.url);
  const names = (await readdir(folder)).sort().map((name) => new URL(name, folder));
  const hash = createHash("sha256");
  for (const file of [...names, new URL("package-lock.json", import.meta.url)]) hash.update(await readFile(file));
  return hash.digest("hex");
}

await build({
  entryPoints: ["src/main.js"],
  absWorkingDir: new URL(".", import.meta.url).pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "ascii",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  banner: { js: `/*!\n * Sources ${await digest()}\n${notices.join("\n")}\n * ${PERMISSION}\n */` },
  outfile: OUT.pathname,
});
const made = await readFile(OUT, "utf8");
await writeFile(OUT, `${made.trim()}\n`);
