import { nounOf } from "../../kinds/index.ts";
import type { LiveProblems } from "../../model/problem-codes.ts";
import { plainKeyOf, type Urn } from "../../model/urn.ts";
import { choice, code, cycleOf, namedText, pluralIn, type ProblemTexts } from "./problem-text.ts";

/** Problems that only the catalog shows. */
export const liveTexts: ProblemTexts<LiveProblems> = {
  "asset-missing": {
    meaning: "A declared asset does not exist in the catalog.",
    message: ({ kind, urn }) =>
      `${nounOf(kind)} ${code(urn)} does not exist in the catalog: correct its name, or ingest it first`,
  },
  "asset-removed": {
    meaning: "A declared asset is soft-deleted in the catalog.",
    message: ({ kind, urn }) =>
      `${nounOf(kind)} ${code(urn)} is soft-deleted in the catalog: restore it there, or remove its manifest`,
  },
  "rule-conflict": {
    meaning:
      "Two rules of the same priority give an asset different values for a field that has one, such as the domain. Both places are named.",
    message: (args) =>
      `${bothRules(args.rules)} give different values for ${code(args.facet)} of ${assetsIn(args)}: give one of them the higher \`priority\`, or narrow its \`match\``,
  },
  "rule-modes": {
    meaning:
      "Two rules, or a rule and a manifest, give one facet of an asset different modes. Both places are named.",
    message: (args) =>
      `${args.rules.length > 1 ? bothRules(args.rules) : `rule ${choice(args.rules)} and a manifest`} give ${code(args.facet)} of ${assetsIn(args)} different modes: keep one of them`,
  },
  "rule-matches-nothing": {
    meaning: "Warning: a rule matches no asset of the catalog.",
    message: ({ rule }) =>
      `rule ${code(rule)} matches nothing in the catalog: correct its \`match\`, or remove it; \`explain\` says of an asset by which key it does not match`,
  },
  "pattern-matches-nothing": {
    meaning:
      "`validate --strict`, warning: a rule matches assets, but one of its patterns matches none of their columns. Patterns are of plain names and tell upper case from lower case.",
    message: ({ rule, pattern }) =>
      `${code(pattern)} matches no column of what rule ${code(rule)} matches: correct it, or remove it`,
  },
  "cyclic-selection": {
    meaning:
      "Parents form a cycle when only the selected part is applied. The whole plan also moves an entity that is not selected.",
    message: ({ cycle }) =>
      `applied alone, the selected part makes the parents of ${pluralIn(cycle)} form a cycle: ${cycleOf(cycle)}: select these ${pluralIn(cycle)} together, or apply the whole plan`,
  },
  "column-unknown": {
    meaning: "A declared column does not exist in the catalog.",
    message: (args) =>
      `${code(args.urn)} has no column ${code(args.column)}${candidates(args, "; it can be")}`,
  },
  "column-ambiguous": {
    meaning: "The simple name of a column matches several field paths.",
    message: (args) =>
      `column ${code(args.column)} of ${code(args.urn)} is ambiguous: write the whole field path${candidates(args, ",")}`,
  },
  "column-twice": {
    meaning:
      "The same column is declared twice in a file, for example by its simple name and by its field path. Both places are named. In two files it may have two names.",
    message: (args) =>
      `column ${code(args.column)} of ${code(args.urn)} is declared twice: it is also declared as ${choice(args.candidates)}; keep one`,
  },
  "no-schema": {
    meaning: "Columns are declared for a dataset that has no schema in the catalog.",
    message: ({ urn }) => `${code(urn)} has no columns in the catalog: ingest its schema first`,
  },
  "several-values": {
    meaning:
      "Warning: the catalog stores several values for a field that has one here, such as several domains of a dataset. Only the first is compared, and a change of the field removes all of them.",
    message: ({ kind, urn, facet, values }) =>
      `the catalog stores ${values.length} values for ${code(facet)} of ${nounOf(kind)} ${code(urn)}, ${all(values)}: only the first is compared, and a change of ${code(facet)} removes all of them`,
  },
  "deleted-reference": {
    meaning: "A manifest refers to an entity that `--prune` would delete. Each place is a problem.",
    message: ({ urn }) =>
      `refers to ${code(urn)}, which this plan deletes because it is no longer declared: declare it again, or remove the reference`,
  },
  "no-longer-declared": {
    meaning:
      "Warning: a manifest refers to a definition that the base declares, that no manifest declares any more, and that stays in the catalog, as after half a rename.",
    message: ({ urn }) =>
      `refers to ${code(urn)}, which is in the catalog but no longer declared: refer to what replaces it, or declare it again`,
  },
  "deleted-value": {
    meaning:
      "An entity that `--prune` would delete is still used by a live value that is kept, because of a conflict or the mode of its facet.",
    message: (args) =>
      `${code(args.urn)} is kept in ${placeIn(args)} of ${code(args.on)}, but this plan deletes it: declare it again, or remove it there first`,
  },
  "deleted-parent": {
    meaning:
      "`--prune` would delete an entity while others below it stay. DataHub refuses that. Those that the same plan deletes or moves are no obstacle.",
    message: ({ urn, below }) =>
      `${code(urn)} cannot be deleted while ${all(below)} ${below.length === 1 ? "is" : "are"} below it: delete or move ${below.length === 1 ? "it" : "them"} in the same plan or before, or declare ${code(urn)} again`,
  },
  "deletion-ignored": {
    meaning: "An ignore rule protects, as a value, an entity that `--prune` would delete.",
    message: ({ urn, reason }) =>
      `this rule keeps ${code(urn)} wherever it is assigned (${reason}), but this plan deletes it: narrow the rule, declare the entity again, or ignore the whole entity by its \`urn\``,
  },
  "deletion-held": {
    meaning:
      "Warning: `--prune` deletes nothing while something cannot be read, because it may refer to a deleted entity.",
    message: ({ urns }) =>
      `${all(urns)} ${urns.length === 1 ? "is" : "are"} not deleted yet: not everything could be read, and something unread may still refer to ${urns.length === 1 ? "it" : "them"}`,
  },
  "reference-missing": {
    meaning:
      "A manifest adds a reference to an entity that does not exist in the catalog, and that no manifest declares.",
    message: missingReference,
  },
  "reference-removed": {
    meaning: "A manifest adds a reference to an entity that is soft-deleted in the catalog.",
    message: ({ what, urn }) =>
      `${nounOf(what)} ${code(urn)} is soft-deleted in the catalog: restore it there, or remove the reference`,
  },
  "external-group": {
    meaning: "Members are declared for a group that an identity provider manages.",
    message: ({ urn }) =>
      `an identity provider manages the members of ${code(urn)}, so they cannot be changed here: remove \`members\``,
  },
  "external-membership": {
    meaning: "Warning: a user lists a group that an identity provider manages, but is not a member of it.",
    message: ({ urn, users }) =>
      `an identity provider manages the members of ${code(urn)}: ${choice(users, 5)} cannot be added here`,
  },
  "membership-skipped": {
    meaning:
      "Warning of `user upsert` and `group upsert`: a group or member does not exist in the catalog, so the membership is skipped.",
    message: ({ state, ...args }) => {
      const { what, urn } = args;
      const found = namedIn(args);
      const fault = state === "soft-deleted" ? "is soft-deleted" : "does not exist in the catalog";
      return `${nounOf(what)} ${code(urn)} ${fault}: membership skipped; ${
        found ?? `upsert the ${nounOf(what)} together with it, or run this file again later`
      }`;
    },
  },
  "not-in-snapshot": {
    meaning:
      "`plan --snapshot`: the snapshot does not hold the entity, because no manifest named it when the snapshot was taken.",
    message: ({ urn }) =>
      `${code(urn)} is not in the snapshot: take a snapshot with manifests that name it, or plan against the server`,
  },
  "rule-not-in-snapshot": {
    meaning:
      "`plan --snapshot`: the snapshot does not hold the assets that the rule may match, because no rule asked for them when the snapshot was taken.",
    message: ({ rule }) =>
      `what the rule ${code(rule)} may match is not in the snapshot: take a snapshot with this rule, or plan against the server`,
  },
  "read-failed": {
    meaning: "An entity could not be read from the catalog. It is not changed, and does not count as absent.",
    message: ({ urn, error }) => `could not read ${code(urn)}: ${error}`,
  },
};

function bothRules(rules: readonly string[]): string {
  return `rules ${rules.map(code).join(" and ")}`;
}

function assetsIn({ urn, count }: LiveProblems["rule-conflict"]): string {
  return count === 1 ? code(urn) : `${count} assets, such as ${code(urn)}`;
}

/** "`a`, `b` and `c`"; of many the beginning. */
function all(names: readonly string[], most = 20): string {
  const shown = names.slice(0, most).map(code);
  if (names.length > most) return `${shown.join(", ")}, … (${names.length} in all)`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

function missingReference(args: LiveProblems["reference-missing"]): string {
  const { what, urn, id } = args;
  const fault = `${nounOf(what)} ${code(urn)} does not exist in the catalog`;
  const found = namedIn(args);
  if (found !== undefined) return `${fault}: ${found}`;
  if (id === undefined) return `${fault}: correct the reference, or create it there first`;
  const manifest = `${code(`kind: ${what}`)}, ${code(`id: ${id}`)}`;
  return `${fault}, and no manifest declares it: declare it (${manifest}), or correct the reference`;
}

function namedIn({ what, urn, named }: LiveProblems["reference-missing"]): string | undefined {
  return named && namedText(what, plainKeyOf(urn as Urn), named);
}

function placeIn({ facet, column }: LiveProblems["deleted-value"]): string {
  return code(facet) + (column === undefined ? "" : ` (column ${code(column)})`);
}

function candidates(args: LiveProblems["column-unknown"], lead: string): string {
  return args.candidates.length === 0 ? "" : `${lead} ${choice(args.candidates, 10)}`;
}
