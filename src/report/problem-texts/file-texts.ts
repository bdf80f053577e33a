/** The messages of problems with files, directories and YAML syntax. */

import type { FileProblems, FoundType } from "../../model/problem-codes.ts";
import { code, type ProblemTexts } from "./problem-text.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the file, or the target of the link, does not exist",
  EACCES: "access denied: check the permissions",
  EPERM: "access denied: check the permissions",
  ELOOP: "the link leads back to itself",
  EISDIR: "it is a directory, not a file",
  ENOTDIR: "a part of the path is a file, not a directory",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB",
  ERR_STRING_TOO_LONG: "the file is larger than 512 MiB",
};

/** The message of each problem. */
export const fileTexts: ProblemTexts<FileProblems> = {
  "no-directory": ({ dir }) =>
    `directory ${code(dir)} does not exist: name the directory that holds the manifests, or begin with \`datahub-gitops init\``,
  "not-a-directory": ({ dir }) =>
    `${code(dir)} is not a directory: name the directory that holds the manifests`,
  "no-manifests": ({ dir, files }) =>
    `no manifests in ${code(dir)}: ${
      files === 0
        ? "apart from settings, it holds no file that ends in .yaml or .yml"
        : "its YAML files are empty or hold only comments"
    }; write one, or begin with \`datahub-gitops init\` or \`export\``,
  "no-records": () => "no records found: write a mapping with `id`, or a list of such mappings",
  "not-importable": ({ what, use }) =>
    what === undefined
      ? "is not a file that `import` reads: a business glossary has `nodes` or `terms`, a data product `id` and `domain`, and structured properties are a list with `id` and `type`"
      : `is ${what}, which \`import\` does not read: ${use ?? "there is no importer for it"}`,
  "environment-variable": ({ variable }) =>
    `${code(variable)} is an environment variable, which \`datahub ingest\` replaces: write its value`,
  unreadable: ({ reason }) => `cannot be read: ${reasons[reason] ?? reason}`,
  "no-regular-file": () => "is not a regular file: it cannot be a pipe, socket or device",
  "link-outside": () =>
    "is a link, or is behind one, that leads out of the repository: replace it by a copy, or remove it",
  "too-large": (args) =>
    "megabytes" in args
      ? `is larger than ${args.megabytes} MB: split it into several files`
      : `has more than ${args.tokens} tokens of YAML up to line ${args.line}: split it into several files`,
  "repeated-folder": ({ target }) =>
    `is a link to ${code(target)}, which has already been read: remove the link`,
  "binary-file": () =>
    "is not a text file (it contains NUL bytes): remove it, or rename it to not end in .yaml or .yml",
  "other-encoding": ({ encoding }) => `is encoded as ${encoding}: save it as UTF-8`,
  "not-utf8": ({ byte }) => `invalid UTF-8: byte ${byte}; save the file as UTF-8`,
  "control-character": ({ character }) =>
    character === "U+000D"
      ? "carriage return without a line feed: save the file with Unix or Windows line endings"
      : `control character ${character} is not allowed in YAML: remove it`,
  "too-deep": ({ limit }) => `nested more than ${limit} levels deep: a manifest needs far fewer`,
  "yaml-syntax": ({ reason, detail }) => syntaxMessage(reason, detail),
  "merge-conflict": () => "unresolved Git merge conflict: keep one side and remove the conflict markers",
  "duplicate-key": ({ key }) => `duplicate key ${code(key)}: keep one`,
  "unknown-alias": ({ alias }) =>
    `alias \`*${alias}\` has no anchor \`&${alias}\` before it in this document (a string that begins with \`*\` must be quoted)`,
  "alias-in-itself": ({ alias }) => `alias \`*${alias}\` is used inside its own anchor: remove it`,
  "too-many-aliases": ({ limit }) =>
    `the aliases of this document repeat more than ${limit} values: write the values out, or split the document`,
  "unknown-tag": ({ tag }) =>
    `YAML tag ${code(tag)} is not supported: remove it (a string that begins with \`!\` must be quoted)`,
  "bad-tagged-value": ({ text, tag }) => `${code(text)} does not fit its YAML tag ${code(tag)}`,
  "bad-merge": () =>
    "the value of `<<` must be an alias of a mapping, or a list of such aliases: `<<: *name`",
  "complex-key": () =>
    "a key must be a string, not a list, mapping or alias (a string that begins with `{`, `[` or `*` must be quoted)",
  "empty-key": () => "the key before the colon is missing",
  "not-a-manifest": ({ found }) =>
    `a manifest must be a mapping with \`kind\`, but this is ${foundNouns[found]}`,
  "not-a-record": ({ found }) => `a record must be a mapping with \`id\`, but this is ${foundNouns[found]}`,
  "missing-kind": ({ near, known }) =>
    near === undefined
      ? `\`kind\` is missing: it must be one of ${known.join(", ")}`
      : `\`kind\` is missing, and ${code(near)} is not a field`,
  "unknown-kind": ({ kind, known }) => `unknown kind ${code(kind)}: must be one of ${known.join(", ")}`,
};

/** The noun for a type that was found instead of the expected one. */
export const foundNouns: Readonly<Record<FoundType, string>> = {
  string: "a string",
  number: "a number",
  fraction: "a fraction",
  boolean: "a boolean",
  array: "a list",
  object: "a mapping",
  null: "empty",
};

const explanations: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "tabs are not allowed in the indentation: use spaces",
  BAD_INDENT: "the indentation does not match the lines above",
  MULTILINE_IMPLICIT_KEY: "a key cannot span several lines: check the colons, quotes and indentation",
  BLOCK_AS_IMPLICIT_KEY:
    "a second `key: value` on the same line: correct the indentation, or quote a string that contains `: `",
  BLOCK_IN_FLOW: "a bracket before this is not closed",
  BAD_SCALAR_START: "a string cannot begin with this character: quote it",
  BAD_DQ_ESCAPE: "unknown escape sequence in double quotes: write \\\\ for a backslash, or use single quotes",
  BAD_PROP_ORDER: "anchors and tags must come before the value",
  MULTIPLE_ANCHORS: "a value can have only one anchor",
  MULTIPLE_TAGS: "a value can have only one tag",
  ALIAS_PROPS: "an alias cannot have an anchor or a tag",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
};

function syntaxMessage(reason: string, detail: string): string {
  const own = reason === "NOT_CLOSED" ? `${code(detail)} is not closed` : explanations[reason];
  const plain = detail.charAt(0).toLowerCase() + detail.slice(1);
  return `invalid YAML: ${own ?? plain}`;
}
