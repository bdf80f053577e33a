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

/** Problems with files, directories and YAML syntax. */
export const fileTexts: ProblemTexts<FileProblems> = {
  "no-directory": {
    meaning: "The catalog directory does not exist.",
    message: ({ dir }) =>
      `directory ${code(dir)} does not exist: name the directory that holds the manifests, or begin with \`datahub-gitops init\``,
    isOfFile: true,
  },
  "not-a-directory": {
    meaning: "The catalog directory is a file.",
    message: ({ dir }) => `${code(dir)} is not a directory: name the directory that holds the manifests`,
    isOfFile: true,
  },
  "no-manifests": {
    meaning:
      'The catalog directory holds no manifests. This is always an error: it never means "nothing is declared".',
    message: ({ dir, files }) =>
      `no manifests in ${code(dir)}: ${
        files === 0
          ? "apart from settings, it holds no file that ends in .yaml or .yml"
          : "its YAML files are empty or hold only comments"
      }; write one, or begin with \`datahub-gitops init\` or \`export\``,
    isOfFile: true,
  },
  "no-records": {
    meaning: "The file for `user upsert` or `group upsert` holds no records.",
    message: () => "no records found: write a mapping with `id`, or a list of such mappings",
    isOfFile: true,
  },
  unreadable: {
    meaning: "A file or directory cannot be read, for example because access is denied.",
    message: ({ reason }) => `cannot be read: ${reasons[reason] ?? reason}`,
    isOfFile: true,
  },
  "no-regular-file": {
    meaning: "A manifest or settings file is a pipe, socket or device.",
    message: () => "is not a regular file: it cannot be a pipe, socket or device",
    isOfFile: true,
  },
  "link-outside": {
    meaning:
      "A link leads out of the repository, or into its `.git` directory. Without a repository, it leads out of the catalog directory.",
    message: () =>
      "is a link, or is behind one, that leads out of the repository: replace it by a copy, or remove it",
    isOfFile: true,
  },
  "too-large": {
    meaning: "A manifest or settings file is larger than 10 MB, or its YAML has more than 1,500,000 tokens.",
    message: (args) =>
      "megabytes" in args
        ? `is larger than ${args.megabytes} MB: split it into several files`
        : `has more than ${args.tokens} tokens of YAML up to line ${args.line}: split it into several files`,
    isOfFile: true,
  },
  "repeated-folder": {
    meaning: "A link leads to a directory of the catalog that has already been read, or forms a cycle.",
    message: ({ target }) => `is a link to ${code(target)}, which has already been read: remove the link`,
    isOfFile: true,
  },
  "binary-file": {
    meaning: "A file with the name of a manifest contains NUL bytes, so it is not a text file.",
    message: () =>
      "is not a text file (it contains NUL bytes): remove it, or rename it to not end in .yaml or .yml",
    isOfFile: true,
  },
  "other-encoding": {
    meaning: "A file is encoded as UTF-16 or UTF-32.",
    message: ({ encoding }) => `is encoded as ${encoding}: save it as UTF-8`,
    isOfFile: true,
  },
  "not-utf8": {
    meaning: "A file contains bytes that are not valid UTF-8.",
    message: ({ byte }) => `invalid UTF-8: byte ${byte}; save the file as UTF-8`,
  },
  "control-character": {
    meaning: "A file contains a control character that YAML does not allow.",
    message: ({ character }) =>
      character === "U+000D"
        ? "carriage return without a line feed: save the file with Unix or Windows line endings"
        : `control character ${character} is not allowed in YAML: remove it`,
  },
  "too-deep": {
    meaning: "A document is nested too deeply.",
    message: ({ limit }) => `nested more than ${limit} levels deep: a manifest needs far fewer`,
  },
  "yaml-syntax": {
    meaning: "A document is not well-formed YAML. The rest of the document is not checked.",
    message: ({ reason, detail }) => syntaxMessage(reason, detail),
  },
  "merge-conflict": {
    meaning: "A file contains unresolved Git conflict markers.",
    message: () => "unresolved Git merge conflict: keep one side and remove the conflict markers",
  },
  "duplicate-key": {
    meaning: "A mapping has the same key twice. Both places are named.",
    message: ({ key }) => `duplicate key ${code(key)}: keep one`,
  },
  "unknown-alias": {
    meaning: "An alias has no anchor before it in the document.",
    message: ({ alias }) =>
      `alias \`*${alias}\` has no anchor \`&${alias}\` before it in this document (a string that begins with \`*\` must be quoted)`,
  },
  "alias-in-itself": {
    meaning: "An alias is used inside its own anchor.",
    message: ({ alias }) => `alias \`*${alias}\` is used inside its own anchor: remove it`,
  },
  "too-many-aliases": {
    meaning: "The aliases of a document repeat too many values.",
    message: ({ limit }) =>
      `the aliases of this document repeat more than ${limit} values: write the values out, or split the document`,
  },
  "unknown-tag": {
    meaning: "A value has a YAML tag (`!tag`) that manifests do not support.",
    message: ({ tag }) =>
      `YAML tag ${code(tag)} is not supported: remove it (a string that begins with \`!\` must be quoted)`,
  },
  "bad-tagged-value": {
    meaning: "A value does not fit its YAML tag.",
    message: ({ text, tag }) => `${code(text)} does not fit its YAML tag ${code(tag)}`,
  },
  "bad-merge": {
    meaning: "The value of a merge key `<<` is not a mapping.",
    message: () => "the value of `<<` must be an alias of a mapping, or a list of such aliases: `<<: *name`",
  },
  "complex-key": {
    meaning: "A key is a list, a mapping or an alias.",
    message: () =>
      "a key must be a string, not a list, mapping or alias (a string that begins with `{`, `[` or `*` must be quoted)",
  },
  "empty-key": {
    meaning: "There is no key before a colon.",
    message: () => "the key before the colon is missing",
  },
  "not-a-manifest": {
    meaning: "A document is neither a mapping nor a list of mappings.",
    message: ({ found }) => `a manifest must be a mapping with \`kind\`, but this is ${foundNouns[found]}`,
  },
  "not-a-record": {
    meaning: "A record in a file for `user upsert` or `group upsert` is not a mapping.",
    message: ({ found }) => `a record must be a mapping with \`id\`, but this is ${foundNouns[found]}`,
  },
  "missing-kind": {
    meaning: "A manifest has no `kind`.",
    message: ({ near, known }) =>
      near === undefined
        ? `\`kind\` is missing: it must be one of ${known.join(", ")}`
        : `\`kind\` is missing, and ${code(near)} is not a field`,
  },
  "unknown-kind": {
    meaning: "The `kind` of a manifest does not exist.",
    message: ({ kind, known }) => `unknown kind ${code(kind)}: must be one of ${known.join(", ")}`,
  },
};

/** A type that was found where another was expected. */
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
