// Knows the accepted values of the measures.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const file = join(import.meta.dirname, "accepted.json");
const decisions = join(import.meta.dirname, "../../docs/decisions.md");

/** The accepted values by measure: a number, or `{ worse, because }` if the text is an item of a list below "Measures" in decisions.md. */
function accepted() {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The worst accepted value of a measure: none if its reason is not among the decisions. */
export function limitOf(name) {
  const value = accepted()[name];
  if (typeof value !== "object") return value;
  const [, section = ""] =
    /^### Measures\n([^]*?)(?=^#|(?![^]))/m.exec(readFileSync(decisions, "utf8")) ?? [];
  return section.split("\n").includes(`- ${value.because}`) ? value.worse : undefined;
}

/** Accepts values where they are better than the accepted ones, or new. */
export function accept(values) {
  const better = Object.entries(values).filter(([name, value]) => !(value >= limitOf(name)));
  writeFileSync(file, `${JSON.stringify({ ...accepted(), ...Object.fromEntries(better) }, undefined, 2)}\n`);
}
