import { type Document, Scalar, Schema } from "yaml";
import { laidOut, lineWidth } from "./layout.ts";

// The layout decides on every text but that of block scalars, which the library indents.
const printing = new Schema({
  schema: "failsafe",
  customTags: (tags) =>
    tags.map((tag) =>
      typeof tag === "object" && tag.tag === "tag:yaml.org,2002:str" && !tag.collection
        ? {
            ...tag,
            stringify: (node, ...context) =>
              node.type === Scalar.PLAIN ? String(node.value) : (tag.stringify?.(node, ...context) ?? ""),
          }
        : tag,
    ),
});

/** The text of documents in canonical style. It changes the documents. */
export function printedDocuments(documents: readonly Document[]): string {
  return documents
    .map(printedDocument)
    .filter((text, index) => text !== "" || index === 0)
    .join("---\n");
}

function printedDocument(document: Document): string {
  document.schema = printing;
  if (document.directives) document.directives.docEnd = false;
  document.contents = laidOut(document.contents ?? nothing());
  const text = document.toString({
    indent: 2,
    lineWidth,
    minContentWidth: 0,
    directives: false,
    verifyAliasOrder: false,
  });
  return text
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+/, "")
    .replace(/\n+$/, "\n");
}

/** What a document holds that has only comments. */
function nothing(): Scalar {
  const scalar = new Scalar("");
  scalar.type = Scalar.PLAIN;
  return scalar;
}
