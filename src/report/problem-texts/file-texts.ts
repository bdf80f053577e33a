import type { FoundType } from "../../model/problem-codes/arguments.ts";
import type { FileProblems } from "../../model/problem-codes/file-problems.ts";
import { code, type ProblemTexts } from "./problem-text.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist (a link to it leads nowhere)",
  EACCES: "access is denied: check its permissions",
  EPERM: "access is denied: check its permissions",
  ELOOP: "it is a link that leads back to itself",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "a part of its path is a file, not a folder",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
  ERR_STRING_TOO_LONG: "it is larger than 512 MiB",
};

/** Problems of files and folders, before any YAML. */
export const fileTexts: ProblemTexts<FileProblems> = {
  "no-directory": {
    meaning: "The catalog directory does not exist.",
    message: (args) =>
      `there is no directory ${code(args.dir)}: name the one that holds the manifests, or create it`,
    whole: true,
  },
  "not-a-directory": {
    meaning: "What was named as catalog directory is a file.",
    message: (args) => `${code(args.dir)} is not a directory: name the one that holds the manifests`,
    whole: true,
  },
  "no-manifests": {
    meaning: 'The catalog directory holds no manifest at all. That is never taken for "nothing is declared".',
    message: (args) =>
      `there is no manifest in ${code(args.dir)}: ${
        args.files === 0
          ? "it holds no file that ends in .yaml or .yml, but for settings"
          : "its YAML files are empty or hold only comments"
      }`,
    whole: true,
  },
  "no-records": {
    meaning: "The file for `user upsert` or `group upsert` holds no record.",
    message: () => "holds no record: write a mapping with `id`, or a list of such mappings",
    whole: true,
  },
  unreadable: {
    meaning: "A file or folder cannot be read: access denied, a link that leads nowhere, and the like.",
    message: (args) => `cannot be read: ${reasons[args.reason] ?? args.reason}`,
    whole: true,
  },
  "no-regular-file": {
    meaning: "Something that has the name of a manifest is no file: a pipe, a socket, a device.",
    message: () => "is not a regular file: a pipe, socket or device cannot be a manifest",
    whole: true,
  },
  "repeated-folder": {
    meaning: "A link leads to a folder of the catalog that is read already, perhaps in a circle.",
    message: (args) => `is a link to ${code(args.target)}, which is read already: remove the link`,
    whole: true,
  },
  "binary-file": {
    meaning: "A file with the name of a manifest holds NUL bytes, so it is no text.",
    message: () => "is not a text file (it holds NUL bytes): remove it, or give it another ending than .yaml",
    whole: true,
  },
  "other-encoding": {
    meaning: "A file is encoded as UTF-16 or UTF-32.",
    message: (args) => `is encoded as ${args.encoding}: save it as UTF-8`,
    whole: true,
  },
  "not-utf8": {
    meaning: "A file holds bytes that are not UTF-8.",
    message: (args) => `the byte ${args.byte} is not UTF-8 here: save the file as UTF-8`,
  },
  "control-character": {
    meaning: "A file holds a control character, which YAML forbids.",
    message: (args) =>
      args.character === "U+000D"
        ? "a carriage return without a line feed: save the file with line ends of Unix or Windows"
        : `the control character ${args.character} cannot stand in YAML: remove it`,
  },
  "too-deep": {
    meaning: "A document is nested deeper than any manifest can be.",
    message: (args) => `nested more than ${args.limit} levels deep, which no manifest is`,
  },
  "yaml-syntax": {
    meaning: "A document is not well-formed YAML. Nothing else is checked in it.",
    message: (args) => syntaxMessage(args.reason, args.detail),
  },
  "merge-conflict": {
    meaning: "A file holds the marks of a merge of git that was not resolved.",
    message: () => "a merge of git was left unresolved: keep one side and remove the marks",
  },
  "duplicate-key": {
    meaning: "A mapping has the same key twice; both places are named.",
    message: (args) => `the key ${code(args.key)} stands here twice: keep one`,
  },
  "unknown-alias": {
    meaning: "An alias has no anchor before it in its document.",
    message: (args) =>
      `there is no anchor \`&${args.alias}\` before this alias in the same document (a text that begins with \`*\` must be quoted)`,
  },
  "alias-in-itself": {
    meaning: "An alias stands inside of what it repeats.",
    message: (args) => `the alias \`*${args.alias}\` stands inside of its own anchor: it would never end`,
  },
  "too-many-aliases": {
    meaning: "Aliases multiply a document beyond measure.",
    message: (args) =>
      `aliases repeat more than ${args.limit} values in this document: write it out, or split it`,
  },
  "unknown-tag": {
    meaning: "A `!tag` stands before a value. Manifests need none.",
    message: (args) =>
      `the YAML tag ${code(args.tag)} means nothing here: remove it (a text that begins with \`!\` must be quoted)`,
  },
  "bad-tagged-value": {
    meaning: "A value does not fit the YAML tag that stands before it.",
    message: (args) => `${code(args.text)} does not fit its tag ${code(args.tag)}`,
  },
  "bad-merge": {
    meaning: "What stands at a merge key `<<` is no mapping.",
    message: () => "the merge key `<<` takes a mapping, or a list of mappings, by alias: `<<: *name`",
  },
  "complex-key": {
    meaning: "A key is a list, a mapping or an alias.",
    message: () =>
      "a key must be a text, not a list, mapping or alias (a text that begins with `{`, `[` or `*` must be quoted)",
  },
  "empty-key": {
    meaning: "A key is missing before its colon.",
    message: () => "a key is missing before the colon",
  },
  "not-a-manifest": {
    meaning: "A document is neither a mapping nor a list of mappings.",
    message: (args) =>
      `a manifest is a mapping that begins with \`kind:\`, and here is ${foundNouns[args.found]}`,
  },
  "not-a-record": {
    meaning: "What stands in a file for `user upsert` or `group upsert` is no mapping.",
    message: (args) => `a record is a mapping with \`id\`, and here is ${foundNouns[args.found]}`,
  },
  "missing-kind": {
    meaning: "A manifest does not say what it declares.",
    message: (args) =>
      args.near === undefined
        ? `\`kind\` is missing: one of ${args.known.join(", ")}`
        : `\`kind\` is missing, and ${code(args.near)} is no field`,
  },
  "unknown-kind": {
    meaning: "A manifest has a kind that does not exist.",
    message: (args) => `unknown kind ${code(args.kind)}: kinds are ${args.known.join(", ")}`,
  },
};

/** What was found where something else was expected, in the words of YAML. */
export const foundNouns: Readonly<Record<FoundType, string>> = {
  string: "a text",
  number: "a number",
  fraction: "a fraction",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  null: "nothing",
};

const explanations: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "a tab stands in the indentation, which YAML forbids: use spaces",
  BAD_INDENT: "the indentation does not fit what stands above",
  MULTILINE_IMPLICIT_KEY:
    "this reads as a key that goes over several lines: a colon, a quote or the indentation is wrong",
  BLOCK_AS_IMPLICIT_KEY:
    "a second `key: value` begins here: correct the indentation, or quote a text that holds `: `",
  BLOCK_IN_FLOW: "a bracket before this is not closed",
  BAD_SCALAR_START: "a text cannot begin with this character: quote it",
  BAD_DQ_ESCAPE:
    "this escape does not exist in double quotes: write \\\\ for a backslash, or use single quotes",
  BAD_PROP_ORDER: "anchors and tags stand before the value",
  MULTIPLE_ANCHORS: "a value can have one anchor only",
  MULTIPLE_TAGS: "a value can have one tag only",
  ALIAS_PROPS: "an alias can have neither an anchor nor a tag",
  RESOURCE_EXHAUSTION: "it is nested too deep",
};

function syntaxMessage(reason: string, detail: string): string {
  const own =
    reason === "NOT_CLOSED" ? `${code(detail)} is opened here and not closed` : explanations[reason];
  const plain = detail.charAt(0).toLowerCase() + detail.slice(1);
  return own === undefined ? `broken YAML: ${plain}` : `broken YAML: ${own}`;
}
