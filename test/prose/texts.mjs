// Collects the texts that a user reads: the documents, and the texts of several words in the sources of the program.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** The documents below a root, by path. The changelog is left out, because it is history. */
export function documentsIn(root) {
  const guides = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const files = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...guides.map((file) => join("docs", file))];
  return new Map(
    files
      .filter((file) => file.endsWith(".md") && !file.includes(".vitepress"))
      .toSorted()
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
}

/**
 * The texts of a TypeScript file that look like prose, as `{ line, text }`. An embedded expression becomes code in back quotes.
 * A text looks like prose if it has four words in a row; GraphQL, patterns, markup and texts of several lines do not.
 */
export function textsIn(source) {
  const texts = [];
  const add = (start, text) => {
    if (
      text.includes("\n") ||
      !/(?:\b[A-Za-z][a-z']* ){3}[a-z]/.test(text) ||
      /[{}<>\\]|^urn:/.test(text.replaceAll("`x`", ""))
    )
      return;
    texts.push({
      line: source.slice(0, start).split("\n").length,
      text: text.replaceAll(/\s+/g, " ").trim(),
    });
  };
  visit(parseAst(source, { lang: "ts" }), (node) => {
    if (node.type === "Literal" && typeof node.value === "string") add(node.start, node.value);
    if (node.type === "TemplateLiteral")
      add(node.start, node.quasis.map(({ value }) => value.cooked).join("`x`"));
  });
  return texts;
}

function visit(node, see) {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (node !== null && typeof node === "object") {
    see(node);
    for (const each of Object.values(node)) if (typeof each === "object") visit(each, see);
  }
}
