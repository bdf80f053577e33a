/** Defines the problems with YAML syntax. */

import { code, type Misspelled } from "./text.ts";
import { problem } from "./problem.ts";

const explanations: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "tabs are not allowed in indentation: use spaces",
  BAD_INDENT: "the indentation does not match the lines above",
  MULTILINE_IMPLICIT_KEY: "a key cannot span several lines: check the colons, quotes and indentation",
  BLOCK_AS_IMPLICIT_KEY:
    "a second `key: value` on the same line: correct the indentation, or quote a string that contains `: `",
  BLOCK_IN_FLOW: "an earlier bracket is not closed",
  BAD_SCALAR_START: "a string cannot begin with this character: quote it",
  BAD_DQ_ESCAPE: "unknown escape sequence in double quotes: write \\\\ for a backslash, or use single quotes",
  BAD_PROP_ORDER: "anchors and tags must come before the value",
  MULTIPLE_ANCHORS: "a value can have only one anchor",
  MULTIPLE_TAGS: "a value can have only one tag",
  ALIAS_PROPS: "an alias cannot have an anchor or a tag",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
};

export const yamlProblems = {
  /** A file contains a control character that YAML does not allow. */
  "control-character": problem({
    message: ({ character }: { character: string }) =>
      character === "U+000D"
        ? "carriage return without a line feed: save the file with Unix or Windows line endings"
        : `control character ${character} is not allowed in YAML: remove it`,
    samples: [{ character: "U+0007" }, { character: "U+000D" }],
  }),
  /** A document is nested too deeply. */
  "too-deep": problem({
    message: ({ limit }: { limit: number }) =>
      `this document is nested more than ${limit} levels deep: reduce the nesting`,
    samples: [{ limit: 100 }],
  }),
  /** A document is not well-formed YAML. The rest of the document is not checked. */
  "yaml-syntax": problem({
    message: ({ reason, detail }: { reason: string; detail: string }) => syntaxMessage(reason, detail),
    samples: [
      { reason: "TAB_AS_INDENT", detail: "Tabs are not allowed" },
      { reason: "NOT_CLOSED", detail: "[" },
      { reason: "UNEXPECTED_TOKEN", detail: "Unexpected scalar" },
    ],
  }),
  /** A file contains unresolved Git conflict markers. */
  "merge-conflict": problem({
    message: "unresolved Git merge conflict: keep one side and remove the conflict markers",
  }),
  /** A mapping has the same key twice. Both places are reported. */
  "duplicate-key": problem({
    message: ({ key }: { key: string }) => `duplicate key ${code(key)}: keep one`,
    samples: [{ key: "id" }],
  }),
  /** An alias has no anchor before it in the document. */
  "unknown-alias": problem({
    message: ({ alias }: Misspelled & { alias: string }) =>
      `alias \`*${alias}\` has no anchor \`&${alias}\` before it in this document (a string that begins with \`*\` must be quoted)`,
    samples: [{ alias: "owners" }],
  }),
  /** An alias refers to a value that contains the alias. */
  "alias-in-itself": problem({
    message: ({ alias }: { alias: string }) =>
      `alias \`*${alias}\` refers to a value that contains it: remove the alias`,
    samples: [{ alias: "owners" }],
  }),
  /** The aliases in a document expand to too many values. */
  "too-many-aliases": problem({
    message: ({ limit }: { limit: number }) =>
      `the aliases in this document expand to more than ${limit} values: use fewer aliases, or split the document`,
    samples: [{ limit: 100_000 }],
  }),
  /** A value has a YAML tag (`!tag`) that manifests do not support. */
  "unknown-tag": problem({
    message: ({ tag }: { tag: string }) =>
      `YAML tag ${code(tag)} is not supported: remove it (a string that begins with \`!\` must be quoted)`,
    samples: [{ tag: "!secret" }],
  }),
  /** A value is not valid for its YAML tag. */
  "bad-tagged-value": problem({
    message: ({ text, tag }: { tag: string; text: string }) =>
      `${code(text)} is not valid for its YAML tag ${code(tag)}: correct the value, or remove the tag`,
    samples: [{ tag: "!!int", text: "x" }],
  }),
  /** The value of a merge key `<<` is neither an alias for a mapping nor a list of such aliases. */
  "bad-merge": problem({
    message: "the value of `<<` must be an alias for a mapping (`<<: *name`) or a list of such aliases",
  }),
  /** A key is a list, a mapping or an alias. */
  "complex-key": problem({
    message:
      "a key must be a string, not a list, mapping or alias (a string that begins with `{`, `[` or `*` must be quoted)",
  }),
  /** The key before a colon is missing. */
  "empty-key": problem({ message: "the key before the colon is missing: add a key, or remove the colon" }),
};

function syntaxMessage(reason: string, detail: string): string {
  const own = reason === "NOT_CLOSED" ? `${code(detail)} is not closed` : explanations[reason];
  const plain = detail.charAt(0).toLowerCase() + detail.slice(1);
  return `invalid YAML: ${own ?? plain}`;
}
