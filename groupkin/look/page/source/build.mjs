// Bundles the script and the style of the pages into ../bundle; run by `npm ci && npm run build`.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const licenses = ["three", "uplot"].map(
  (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`,
);
writeFileSync("../bundle/LICENSES.txt", licenses.join("\n---\n\n"));
const settings = { bundle: true, minify: true, charset: "ascii", legalComments: "none", logLevel: "info" };
await build({ ...settings, entryPoints: ["main.js"], outfile: "../bundle/page.js", format: "iife", target: "es2020" });
await build({ ...settings, entryPoints: ["page.css"], outfile: "../bundle/page.css" });
