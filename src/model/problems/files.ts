/** Defines the problems with files and directories. */

import { code } from "./text.ts";
import { problem } from "./problem.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the file, or the target of the link, does not exist",
  EACCES: "access denied; check the permissions",
  EPERM: "access denied; check the permissions",
  ELOOP: "the link points back to itself",
  EISDIR: "it is a directory, not a file",
  ENOTDIR: "part of the path is a file, not a directory",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB",
  ERR_STRING_TOO_LONG: "the file is larger than 512 MiB",
};

export const fileProblems = {
  /** The catalog directory does not exist. */
  "no-directory": problem({
    message: ({ dir }: { dir: string }) =>
      `directory ${code(dir)} does not exist: specify the directory that contains the manifests, or start with \`datahub-gitops init\``,
    trait: "no-manifest",
    line: "none",
    samples: [{ dir: "catalog" }],
  }),
  /** The specified catalog directory is not a directory but a file. */
  "not-a-directory": problem({
    message: ({ dir }: { dir: string }) =>
      `${code(dir)} is not a directory: specify the directory that contains the manifests`,
    line: "none",
    samples: [{ dir: "catalog" }],
  }),
  /**
   * The catalog directory contains no manifests. This is always an error: the tool never treats it as a request to remove
   * everything.
   */
  "no-manifests": problem({
    message: ({ dir, files }: { dir: string; files: number }) =>
      `no manifests in ${code(dir)}: ${
        files === 0
          ? "apart from settings, it contains no .yaml or .yml files"
          : "its YAML files are empty or contain only comments"
      }; write a manifest, or start with \`datahub-gitops init\` or \`export\``,
    trait: "no-manifest",
    line: "none",
    samples: [
      { dir: "catalog", files: 0 },
      { dir: "catalog", files: 2 },
    ],
  }),
  /** The file for `user upsert` or `group upsert` contains no records. */
  "no-records": problem({
    message: "no records found: write a mapping with `id`, or a list of such mappings",
    line: "none",
  }),
  /** A file to import is not in a format that `import` reads. If the tool recognizes the format, the message mentions it. */
  "not-importable": problem({
    message: ({ what, use }: { what?: string | undefined; use?: string | undefined }) =>
      what === undefined
        ? "`import` cannot read this file: it must be a business glossary (with `nodes` or `terms`), a data product (with `id` and `domain`), or structured properties (a list of mappings with `id` and `type`)"
        : `this is ${what}, which \`import\` does not read: ${use ?? "there is no importer for this format"}`,
    line: "none",
    samples: [
      {},
      { what: "a file with forms", use: "use `datahub forms upsert`" },
      { what: "a list of wishes" },
    ],
  }),
  /**
   * A string in a file to import contains an environment variable in braces. `datahub ingest` replaces it, but `import` does not.
   */
  "environment-variable": problem({
    message: ({ variable }: { variable: string }) =>
      `${code(variable)} is an environment variable that \`datahub ingest\` replaces but \`import\` does not: replace it with its value`,
    samples: [{ variable: "${TEAM}" }],
  }),
  /** A file or directory cannot be read, for example because access is denied. */
  unreadable: problem({
    message: ({ reason }: { reason: string }) => `this path cannot be read: ${reasons[reason] ?? reason}`,
    line: "none",
    samples: [{ reason: "EACCES" }, { reason: "EIO" }],
  }),
  /** A manifest or settings file is a pipe, socket or device. */
  "no-regular-file": problem({
    message: "this path is a pipe, socket or device: replace it with a regular file",
    line: "none",
  }),
  /**
   * A symbolic link points outside the repository, or into its `.git` directory. If there is no repository, it points outside the
   * catalog directory.
   */
  "link-outside": problem({
    message:
      "this path is a symbolic link that points outside the repository, or is reached through such a link: replace the link with a copy of its target, or remove the link",
    line: "none",
  }),
  /** A manifest or settings file is larger than 10 MB, or its YAML has more than 1,500,000 tokens. */
  "too-large": problem({
    message: (args: { megabytes: number } | { tokens: number; line: number }) =>
      "megabytes" in args
        ? `this file is larger than ${args.megabytes} MB: split it into several files`
        : `this file has more than ${args.tokens} YAML tokens by line ${args.line}: split it into several files`,
    line: "none",
    samples: [{ megabytes: 10 }, { tokens: 1_500_000, line: 300_000 }],
  }),
  /** A symbolic link points to a directory that has already been read, or forms a cycle. */
  "repeated-folder": problem({
    message: ({ target }: { target: string }) =>
      `this path is a symbolic link to ${code(target)}, which has already been read: remove the link`,
    line: "none",
    samples: [{ target: "catalog/a" }],
  }),
  /** A `.yaml` or `.yml` file contains NUL bytes, so it is not a text file. */
  "binary-file": problem({
    message:
      "this file contains NUL bytes, so it is not a text file: remove it, or rename it so that its name does not end in .yaml or .yml",
    line: "none",
  }),
  /** A file is encoded as UTF-16 or UTF-32. */
  "other-encoding": problem({
    message: ({ encoding }: { encoding: string }) => `this file is encoded as ${encoding}: save it as UTF-8`,
    line: "none",
    samples: [{ encoding: "UTF-16" }],
  }),
  /** A file contains bytes that are not valid UTF-8. */
  "not-utf8": problem({
    message: ({ byte }: { byte: string }) => `byte ${byte} is not valid UTF-8: save the file as UTF-8`,
    samples: [{ byte: "0xE4" }],
  }),
};
