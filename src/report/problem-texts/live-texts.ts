import type { LiveProblems } from "../../model/problem-codes/live-problems.ts";
import { choice, code, type ProblemTexts } from "./problem-text.ts";

/** Problems that only the catalog can tell. */
export const liveTexts: ProblemTexts<LiveProblems> = {
  "asset-missing": {
    meaning: "A declared dataset or container does not exist in the catalog.",
    message: (args) =>
      `the ${kindOf(args)} ${code(args.urn)} is not in the catalog: correct its name, or let ingestion create it first`,
  },
  "asset-removed": {
    meaning: "A declared dataset or container is soft-deleted in the catalog.",
    message: (args) =>
      `the ${kindOf(args)} ${code(args.urn)} is soft-deleted in the catalog: remove the manifest, or restore it there`,
  },
  "column-unknown": {
    meaning: "A declared column does not exist in the catalog.",
    message: (args) =>
      `there is no column ${code(args.column)} in ${code(args.urn)}${candidates(args, "; it can be")}`,
  },
  "column-ambiguous": {
    meaning: "The simple name of a column fits several field paths.",
    message: (args) =>
      `the column ${code(args.column)} of ${code(args.urn)} could be any of several: write the whole field path${candidates(args, ",")}`,
  },
  "column-twice": {
    meaning: "Two names in a manifest mean the same column: its simple name and its field path, say.",
    message: (args) =>
      `the column ${code(args.column)} of ${code(args.urn)} is declared twice, once as another name of ${choice(args.candidates)}: keep one`,
  },
  "no-schema": {
    meaning: "Columns are declared of a dataset whose columns the catalog does not know.",
    message: (args) =>
      `the catalog knows no columns of ${code(args.urn)}: let ingestion bring its schema first`,
  },
  "deleted-reference": {
    meaning: "What `--prune` would delete is still referred to.",
    message: (args) =>
      `${code(args.urn)} is no longer declared, so this plan deletes it, and this still refers to it: declare it again, or remove the reference`,
  },
  "deleted-value": {
    meaning:
      "What `--prune` would delete stands in a live value that stays: by `--skip-conflicts`, or by the mode of its facet.",
    message: (args) =>
      `${code(args.urn)} stays in ${placeIn(args)} of ${code(args.on)}, and this plan deletes it: declare it again, or remove it there first`,
  },
  "deletion-ignored": {
    meaning:
      "A rule of `ignore` covers as a value what `--prune` would delete: it is never removed by the rule.",
    message: (args) =>
      `${code(args.urn)} is never removed where it is assigned (${args.reason}), and this plan deletes it: narrow this rule, declare the entity again, or ignore it as a whole by its \`urn\``,
  },
  "deletion-held": {
    meaning:
      "Warning: `--prune` deletes nothing as long as something could not be read, because that may refer to it.",
    message: (args) => {
      const urns = args.urns;
      return `not everything could be read, and what could not may refer to what would be deleted: ${all(urns)} ${urns.length === 1 ? "stays" : "stay"} for now`;
    },
  },
  "reference-missing": {
    meaning: "Something that would be added does not exist in the catalog.",
    message: (args) =>
      `the ${args.what.toLowerCase()} ${code(args.urn)} is not in the catalog: correct the reference, or create it there first`,
  },
  "reference-removed": {
    meaning: "Something that would be added is soft-deleted in the catalog.",
    message: (args) =>
      `the ${args.what.toLowerCase()} ${code(args.urn)} is soft-deleted in the catalog: remove the reference, or restore it there`,
  },
  "reference-pending": {
    meaning:
      "Warning: what would be added is not in the catalog, and another manifest of the repository declares it.",
    message: (args) =>
      `${code(args.urn)} is not in the catalog, and another manifest declares it: a whole apply creates it first`,
  },
  "external-group": {
    meaning: "Members are declared of a group that an identity provider owns.",
    message: (args) =>
      `the members of ${code(args.urn)} come from an identity provider: remove \`members\`, nobody can be added here`,
  },
  "external-membership": {
    meaning: "A user lists a group that an identity provider owns, and is not in it.",
    message: (args) =>
      `the members of ${code(args.urn)} come from an identity provider: ${choice(args.users, 5)} cannot be added here`,
  },
  "membership-skipped": {
    meaning:
      "Warning of `user upsert` and `group upsert`: a group or member that is not in the catalog yet. The membership is left out.",
    message: (args) => {
      const what = args.what.toLowerCase();
      const fault = args.state === "soft-deleted" ? "is soft-deleted" : "is not in the catalog";
      return `the ${what} ${code(args.urn)} ${fault}: this membership is left out until the ${what} is upserted with it, or this file again`;
    },
  },
  "read-failed": {
    meaning: "The catalog could not be asked for an entity. It is neither changed nor taken for absent.",
    message: (args) => `could not read ${code(args.urn)}: ${args.error}`,
  },
};

/** "`a`, `b` and `c`"; of many the beginning. */
function all(texts: readonly string[], most = 20): string {
  const shown = texts.slice(0, most).map(code);
  if (texts.length > most) return `${shown.join(", ")}, … (${texts.length} in all)`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

function placeIn(args: LiveProblems["deleted-value"]): string {
  const column = args.column === undefined ? "" : ` (column ${code(args.column)})`;
  return code(args.facet) + column;
}

function kindOf(args: LiveProblems["asset-missing"]): string {
  return args.kind.toLowerCase() || "entity";
}

function candidates(args: LiveProblems["column-unknown"], lead: string): string {
  const list = args.candidates;
  return list.length === 0 ? "" : `${lead} ${choice(list, 10)}`;
}
