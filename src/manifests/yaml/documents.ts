import { Composer, type Document, Lexer, Parser, Schema, type YAMLError } from "yaml";
import { appendTo } from "../../model/append.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import { syntaxProblems, tagAt } from "./syntax-problems.ts";
import type { Source } from "./source.ts";
import { tokensProblem } from "./tokens-problem.ts";

/** The deepest nesting of a document. A manifest needs six levels. Recursion is safe with many more. */
const deepest = 100;

// All scalars as strings: `yaml-core-schema.ts` resolves them faster. `parse-document.ts` compares the keys.
const options = {
  schema: new Schema({ schema: "failsafe", resolveKnownTags: false }),
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** The documents that were composed, and the problems with the others. */
interface Stream {
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly Problem[];
}

/** The well-formed YAML documents of a source, and the problems of the others. With `keepSourceTokens` nodes know their tokens. */
export function yamlDocuments(source: Source, keepSourceTokens = false): Stream {
  // The library reads a debug switch from `process.env` at every lexeme. Each read is a system call, in total a third
  // of the time to parse. For this synchronous call, an empty object replaces `process.env`.
  const { env } = process;
  process.env = noEnvironment;
  try {
    return compose(source, keepSourceTokens);
  } finally {
    process.env = env;
  }
}

const noEnvironment: NodeJS.ProcessEnv = {};

/** The library's own pipeline, with a check of the depth after each lexeme: its recursion would overflow the stack. */
function compose(source: Source, keepSourceTokens: boolean): Stream {
  const tooMany = tokensProblem(source);
  if (tooMany) return { documents: [], problems: [tooMany] };
  const parser = new Parser();
  const composer = new Composer({ ...options, keepSourceTokens });
  const composed: Document.Parsed[] = [];
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme))
      for (const document of composer.next(token)) composed.push(document);
    if (parser.stack.length > deepest) {
      const problem = errorAt(source.originAt(parser.offset), "too-deep", { limit: deepest });
      return wellFormed(source, composed, [problem]);
    }
  }
  for (const token of parser.end()) appendTo(composed, composer.next(token));
  appendTo(composed, composer.end(true, source.text.length));
  return wellFormed(source, composed, []);
}

function wellFormed(source: Source, composed: readonly Document.Parsed[], first: readonly Problem[]): Stream {
  const problems = [...first];
  const documents: Document.Parsed[] = [];
  for (const document of composed) {
    if (document.errors.length > 0) appendTo(problems, syntaxProblems(source, document));
    else documents.push(document);
    if (document.warnings.length > 0) appendTo(problems, tagProblems(source, document.warnings));
  }
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
