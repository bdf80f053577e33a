import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const replaced = /[\\/]src[\\/]report[\\/]html[\\/]assets\.ts$/;
const folder = join(import.meta.dirname, "../src/page");

/** Replaces the placeholder module with the script and the style of pages, which are built from `src/page`. */
export function pageAssets() {
  return { name: "page-assets", load: { filter: { id: replaced }, handler: assets } };
}

async function assets() {
  const script = await bundled();
  const style = readFileSync(join(folder, "page.css"), "utf8")
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const values = { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
  const lines = Object.entries(values).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`,
  );
  return { moduleType: "js", code: lines.join("") };
}

/** The script as one text that can stand in a page. */
async function bundled() {
  const bundle = await rolldown({ input: join(folder, "main.ts"), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false, minify: true });
  const code = output[0].code.trim();
  if (/<\/script|<!--/i.test(code)) throw new Error("the script of pages would end its own element");
  return code;
}

function hashOf(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
