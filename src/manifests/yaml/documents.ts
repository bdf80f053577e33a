/** Parses YAML with the `yaml` library, and reports syntax errors and unknown tags. */

import { Composer, type Document, Lexer, Parser, Schema, type YAMLError } from "yaml";
import { appendTo } from "../../model/append.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { parseDocument } from "./parse-document.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import { syntaxProblems, tagAt } from "./syntax-problems.ts";
import type { Source } from "./source.ts";

/** The maximum nesting depth of a document. A manifest needs six levels, and recursion is safe far beyond this limit. */
const maxDepth = 100;

// With these options, the library returns all scalars as strings and accepts duplicate keys. `yaml-core-schema.ts` resolves the
// scalars faster, and `parse-document.ts` reports the duplicate keys.
const options = {
  schema: new Schema({ schema: "failsafe", resolveKnownTags: false }),
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** The valid documents in a text, and the problems in its other documents. */
export interface ParsedText {
  readonly documents: readonly ParsedDocument[];
  readonly problems: readonly Problem[];
}

/** Parses a source text with the `yaml` library. */
export function yamlDocuments(source: Source): ParsedText {
  // The library reads a debug flag from `process.env` for every lexeme. Each read is a system call, and together they take a
  // third of the parsing time. `process.env` is therefore replaced with an empty object during this synchronous call.
  const { env } = process;
  process.env = noEnvironment;
  try {
    return compose(source);
  } finally {
    process.env = env;
  }
}

const noEnvironment: NodeJS.ProcessEnv = {};

/**
 * Runs the library's own parsing pipeline, but checks the nesting depth after each lexeme. Deep nesting would overflow the stack.
 */
function compose(source: Source): ParsedText {
  const parser = new Parser();
  const composer = new Composer(options);
  const composed: Document.Parsed[] = [];
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme))
      for (const document of composer.next(token)) composed.push(document);
    if (parser.stack.length > maxDepth) {
      const problem = errorAt(source.originAt(parser.offset), "too-deep", { limit: maxDepth });
      return parsedDocuments(source, composed, [problem]);
    }
  }
  for (const token of parser.end()) appendTo(composed, composer.next(token));
  appendTo(composed, composer.end(true, source.text.length));
  return parsedDocuments(source, composed, []);
}

function parsedDocuments(
  source: Source,
  composed: readonly Document.Parsed[],
  problems: Problem[],
): ParsedText {
  for (const document of composed) {
    if (document.errors.length > 0) appendTo(problems, syntaxProblems(source, document));
    if (document.warnings.length > 0) appendTo(problems, tagProblems(source, document.warnings));
  }
  const documents = composed.flatMap((document) =>
    document.errors.length > 0 ? [] : (parseDocument(document, source, problems) ?? []),
  );
  return { documents, problems };
}

const coreTags =
  /^!!(?:str|int|float|bool|null|map|seq)$|^!<tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)>$/;

function tagProblems(source: Source, warnings: readonly YAMLError[]): readonly Problem[] {
  return warnings
    .filter(({ code }) => code === "TAG_RESOLVE_FAILED")
    .map(({ pos }) => ({ offset: pos[0], tag: tagAt(source, pos[0]) }))
    .filter(({ tag }) => !coreTags.test(tag))
    .map(({ offset, tag }) => errorAt(source.originAt(offset), "unknown-tag", { tag }));
}
