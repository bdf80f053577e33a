/** The messages of problems that only a comparison with the catalog shows. */

import { nounOf } from "../../kinds/index.ts";
import type { LiveProblems } from "../../model/problem-codes.ts";
import { plainKeyOf, type Urn } from "../../model/urn.ts";
import { choice, code, cycleOf, namedText, pluralIn, type ProblemTexts } from "./problem-text.ts";

/** The message of each problem. */
export const liveTexts: ProblemTexts<LiveProblems> = {
  "asset-missing": ({ kind, urn }) =>
    `${nounOf(kind)} ${code(urn)} does not exist in the catalog: correct its name, or ingest it first`,
  "asset-removed": ({ kind, urn }) =>
    `${nounOf(kind)} ${code(urn)} is soft-deleted in the catalog: restore it there, or remove it from the manifests`,
  "rule-conflict": (args) =>
    `${bothRules(args.rules)} give different values for ${code(args.facet)} of ${assetsIn(args)}: ${isOneRule(args.rules) ? "narrow one of them" : "give one of them the higher `priority`, or narrow its `match`"}`,
  "rule-modes": (args) =>
    `${args.rules.length > 1 ? bothRules(args.rules) : `rule ${choice(args.rules)} and a manifest`} give ${code(args.facet)} of ${assetsIn(args)} different modes: keep one of them`,
  "rule-matches-nothing": ({ rule }) =>
    `rule ${code(rule)} matches nothing in the catalog: correct its \`match\`, or remove it; \`explain\` says of an asset by which key it does not match`,
  "pattern-matches-nothing": ({ rule, pattern }) =>
    `${code(pattern)} matches no column of what rule ${code(rule)} matches: correct it, or remove it`,
  "cyclic-selection": ({ cycle }) =>
    `applied alone, the selected part makes the parents of ${pluralIn(cycle)} form a cycle: ${cycleOf(cycle)}: select these ${pluralIn(cycle)} together, or apply the whole plan`,
  "column-unknown": (args) =>
    `${code(args.urn)} has no column ${code(args.column)}${candidates(args, "; it can be")}`,
  "column-ambiguous": (args) =>
    `column ${code(args.column)} of ${code(args.urn)} is ambiguous: write the whole field path${candidates(args, ",")}`,
  "column-twice": (args) =>
    `column ${code(args.column)} of ${code(args.urn)} is declared twice: it is also declared as ${choice(args.candidates)}; keep one`,
  "no-schema": ({ urn }) => `${code(urn)} has no columns in the catalog: ingest its schema first`,
  "several-values": ({ kind, urn, facet, values }) =>
    `the catalog stores ${values.length} values for ${code(facet)} of ${nounOf(kind)} ${code(urn)}, ${all(values)}: only the first is compared, and a change of ${code(facet)} removes all of them`,
  "not-in-release": ({ kind, urn, what, release }) =>
    `${what} requires DataHub ${release} or later, and this server is older: remove it from ${nounOf(kind)} ${code(urn)}, or upgrade the server`,
  "policy-not-in-release": ({ policy, what, release }) =>
    `${what} requires DataHub ${release} or later, and this server is older: remove it from policy ${code(policy)}, or upgrade the server`,
  "deleted-reference": ({ urn }) =>
    `refers to ${code(urn)}, which this plan deletes because it is no longer declared: declare it again, or remove the reference`,
  "no-longer-declared": ({ urn }) =>
    `refers to ${code(urn)}, which is in the catalog but no longer declared: refer to what replaces it, or declare it again`,
  "deleted-value": (args) =>
    `${code(args.urn)} is kept in ${placeIn(args)} of ${code(args.on)}, but this plan deletes it: declare it again, or remove it there first`,
  "deleted-parent": ({ urn, below }) =>
    `${code(urn)} cannot be deleted while ${all(below)} ${below.length === 1 ? "is" : "are"} below it: delete or move ${below.length === 1 ? "it" : "them"} in the same plan or before, or declare ${code(urn)} again`,
  "deletion-ignored": ({ urn, reason }) =>
    `this rule keeps ${code(urn)} wherever it is assigned (${reason}), but this plan deletes it: narrow the rule, declare the entity again, or ignore the whole entity by its \`urn\``,
  "deletion-held": ({ urns }) =>
    `${all(urns)} ${urns.length === 1 ? "is" : "are"} not deleted yet: not everything could be read, and something unread may still refer to ${urns.length === 1 ? "it" : "them"}`,
  "reference-missing": missingReference,
  "reference-removed": ({ what, urn, ...referred }) =>
    `${nounOf(what)} ${code(urn)} is soft-deleted in the catalog${timesText(referred)}: restore it there, or remove the reference`,
  "unremovable-value": ({ path }) =>
    `this release of DataHub cannot take ${code(path)} away: upgrade the server, or leave it as it is by removing the key`,
  "unfit-value": ({ path, found, expected }) => `${code(path)} is ${code(found)}, but must be ${expected}`,
  "unfit-entity": ({ kind, definition, types }) =>
    `${code(definition)} is not for what it is declared of here, a ${nounOf(kind)} or a part of it: its \`entity_types\` are ${all(types)}`,
  "values-outdated": ({ urn, count, on }) => {
    const who =
      count === undefined
        ? "it is not known which entities have"
        : count === 1
          ? "1 entity has"
          : `${count} entities have`;
    return (
      `${who} ${count === 1 ? "a value" : "values"} of ${code(urn)} from before this change, ` +
      `which may no longer fit: DataHub refuses to write other structured properties beside one that does not; ` +
      `declare or remove ${count === 1 ? "it" : "them"}${on.length > 0 ? `, such as on ${all(on)}` : ""}`
    );
  },
  "refused-change": ({ urn, facet, reason, way }) =>
    `DataHub refuses this change: ${code(facet)} of ${code(urn)} ${reason}: ${way}`,
  "external-group": ({ urn }) =>
    `an identity provider manages the members of ${code(urn)}, so they cannot be changed here: remove \`members\``,
  "exclusive-membership": ({ urn, facet, groups }) =>
    `${code(urn)} is declared in the ${code(facet)} of ${all(groups)}, but this server allows one of them: keep one`,
  "external-membership": ({ urn, users }) =>
    `an identity provider manages the members of ${code(urn)}: ${choice(users, 5)} cannot be added here`,
  "membership-skipped": ({ state, ...args }) => {
    const { what, urn } = args;
    const found = namedIn(args);
    const fault = state === "soft-deleted" ? "is soft-deleted" : "does not exist in the catalog";
    return `${nounOf(what)} ${code(urn)} ${fault}: membership skipped; ${
      found ?? `upsert the ${nounOf(what)} together with it, or run this file again later`
    }`;
  },
  "not-in-snapshot": ({ urn }) =>
    `${code(urn)} is not in the snapshot: take a snapshot with manifests that name it, or plan against the server`,
  "rule-not-in-snapshot": ({ rule }) =>
    `what the rule ${code(rule)} may match is not in the snapshot: take a snapshot with this rule, or plan against the server`,
  "rollback-held": heldInRollback,
  "rollback-keeps": ({ urns }) =>
    `the run created ${all(urns)}, which ${urns.length === 1 ? "stays" : "stay"}: --prune deletes what is still as the run left it, of the kinds that \`prune.kinds\` in the settings names`,
  "rollback-overruled": overruledText,
  "ownership-unread": ({ urn, error }) => `cannot read the owners of ${code(urn)}: ${error}`,
  "read-failed": unreadText,
  restricted: unreadText,
};

function unreadText({ urn, error }: LiveProblems["read-failed"]): string {
  return `could not read ${code(urn)}: ${error}`;
}

function bothRules(rules: readonly string[]): string {
  return isOneRule(rules)
    ? `two patterns of columns of rule ${choice(rules.slice(0, 1))}`
    : `rules ${rules.map(code).join(" and ")}`;
}

function isOneRule([first, second]: readonly string[]): boolean {
  return first === second;
}

function assetsIn({ urn, count }: LiveProblems["rule-conflict"]): string {
  return count === 1 ? code(urn) : `${count} assets, such as ${code(urn)}`;
}

/** "`a`, `b` and `c`". Only the beginning of a long list. */
function all(names: readonly string[], max = 20): string {
  const shown = names.slice(0, max).map(code);
  if (names.length > max) return `${shown.join(", ")}, … (${names.length} in all)`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

function missingReference(args: LiveProblems["reference-missing"]): string {
  const { what, urn, id } = args;
  const fault = `${nounOf(what)} ${code(urn)} does not exist in the catalog${timesText(args)}`;
  const found = namedIn(args);
  if (found !== undefined) return `${fault}: ${found}`;
  if (id === undefined) return `${fault}: correct the reference, or create it there first`;
  const manifest = `${code(`kind: ${what}`)}, ${code(`id: ${id}`)}`;
  return `${fault}, and no manifest declares it: declare it (${manifest}), or correct the reference`;
}

/** The number of references, and the other places. Empty for one reference. */
function timesText({
  times = 1,
  also = [],
}: Pick<LiveProblems["reference-missing"], "times" | "also">): string {
  if (times === 1) return "";
  const more = also.length > 0 && also.length + 1 < times ? ", …" : "";
  const places = also.length === 0 ? "" : `, also ${also.map(code).join(", ")}${more}`;
  return ` (${times} references${places})`;
}

function namedIn({ what, urn, named }: LiveProblems["reference-missing"]): string | undefined {
  return named && namedText(what, plainKeyOf(urn as Urn), named);
}

function placeIn({
  facet,
  column,
}: Pick<LiveProblems["deleted-value"], "facet"> & { readonly column?: string | undefined }): string {
  return code(facet) + (column === undefined ? "" : ` (column ${code(column)})`);
}

function candidates(args: LiveProblems["column-unknown"], lead: string): string {
  return args.candidates.length === 0 ? "" : `${lead} ${choice(args.candidates, 10)}`;
}

function overruledText(args: LiveProblems["rollback-overruled"]): string {
  const { urn, facet, rule, count: number = 1, commit } = args;
  const revert =
    commit === undefined ? "" : `, or undo its commit with \`git revert ${commit.slice(0, 12)}\``;
  const them = number === 1 ? "it" : "them";
  if (facet === undefined) {
    const others = number === 1 ? "" : ` and ${number - 1} more ${number === 2 ? "entity" : "entities"}`;
    return `the manifests declare ${code(urn)}${others}, and the next apply makes ${them} again: remove ${number === 1 ? "its manifest" : "their manifests"}${revert}`;
  }
  const who = rule === undefined ? "the manifests declare" : `rule ${code(rule)} declares`;
  const one = `${placeIn({ ...args, facet })} of ${code(urn)}`;
  const what = number === 1 ? one : `${number} values, such as ${one},`;
  const pull = number === 1 ? `pull --target ${urn}` : "pull";
  const way =
    rule === undefined
      ? `change them${revert}, or run \`datahub-gitops ${pull}\` after the rollback`
      : `change the rule${revert}`;
  return `${who} ${what} otherwise, and the next apply takes this back: ${way}`;
}

function heldInRollback(args: LiveProblems["rollback-held"]): string {
  const { kind, urn, facet = "" } = args;
  const entity = `${nounOf(kind)} ${code(urn)}`;
  const value = `${placeIn({ ...args, facet })} of ${entity}`;
  const texts: Readonly<Record<typeof args.because, string>> = {
    gone: `${entity} was deleted after the run, and is not made again`,
    "column-gone": `${value} is not put back: the column is no longer in the schema`,
    "reference-gone": `${value} is not put back: it refers to ${code(args.reference ?? "")}, which does not exist any more`,
    moved: `${value} is not put back: somebody changed it after the run`,
    refused: `${value} is not put back: ${args.reason}`,
    "made-again": `the run deleted ${entity}, and somebody has made it again with other values: it stays as it is`,
    "unknown-values": `${entity} is not made again: the report of the run does not say what it was`,
    "too-large": `${facet === "" ? `${entity} is made again` : `${value} is put back`} without what manifests cannot express of it: it was more than a run keeps`,
    changed: `the run created ${entity}, and somebody has changed it since: it is not deleted`,
    "in-use": `the run created ${entity}, and others refer to it since: it is not deleted`,
  };
  return texts[args.because];
}
