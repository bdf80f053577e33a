/** Writes the sentences and headings about results that all formats share. */

import { facetNamed } from "../../facets/index.ts";
import { type Change, type DriftClass, isFacetChange, isSetChange } from "../../model/change.ts";
import { compareText, isJsonObject } from "../../model/json.ts";
import type { Names, Plan, SettingChange, Summary } from "../../model/plan.ts";
import { isError } from "../../model/problem.ts";
import type { Outcome, ReferencesLeft, Run } from "../../model/report.ts";
import { pendingIn } from "../../model/held-back.ts";
import { canBePruned } from "../../plan/align/pruned.ts";
import { count } from "../count.ts";
import type { Row } from "../page.ts";
import { printable, printableLine } from "../printable.ts";
import { namesOf, urnWithName } from "./values.ts";
import { isOfRollback } from "../../plan/base/changes.ts";

/** Returns a plan's server, preceded by its environment if there is one: `prod (https://datahub.acme.com)`. */
export function serverName({ target, scope }: Plan): string {
  const environment = scope?.environment;
  return printable(environment === undefined ? target : `${environment} (${target})`);
}

/** Summarizes a plan's counts in one line. */
export function summaryLine(summary: Summary): string {
  const { create, update, additions, replacements, removals, unchanged, heldBack } = summary;
  if (create + update + summary.delete + heldBack === 0)
    return `No changes. ${count(unchanged, "entity", "entities")} in sync.`;
  const entities = `${create} to create, ${update} to update, ${summary.delete} to delete`;
  const values = `${count(additions, "value")} added, ${replacements} replaced, ${removals} removed`;
  const waiting = heldBack > 0 ? `; ${heldBack} held back` : "";
  return `Plan: ${entities}; ${values}${waiting}.`;
}

/** Counts the changes in each class of drift. */
export function countDrift(changes: readonly Change[]): Readonly<Record<DriftClass, number>> {
  const counts = { changed: 0, missing: 0, pending: 0 };
  for (const { class: of } of changes) if (of) counts[of] += 1;
  return counts;
}

/**
 * Returns a drift report's last line. The line begins with "No drift" only if everything could be compared. Pending changes are
 * not drift.
 */
export function driftLine({ changes, summary, problems = [] }: Plan): string {
  const { changed, missing, pending } = countDrift(changes);
  const errors = problems.filter(isError).length;
  if (changes.length + errors === 0)
    return `No drift. ${count(summary.unchanged, "entity", "entities")} in sync.`;
  const isDrift = changed + missing > 0;
  const found = isDrift ? "Drift" : errors > 0 ? "Incomplete" : "No drift";
  const counts = `${changed} changed, ${missing} missing, ${pending} pending; ${summary.unmanaged} unmanaged`;
  return `${found}: ${counts}${errors > 0 ? `; ${count(errors, "problem")}` : ""}.`;
}

/** Counts operations by outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Readonly<Record<Outcome["status"], number>> {
  const counts = { applied: 0, failed: 0, skipped: 0, stale: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

/** Summarizes the outcomes in one line. */
export function outcomeLine(outcomes: readonly Outcome[]): string {
  const { applied, failed, skipped, stale } = countOutcomes(outcomes);
  const rest = stale > 0 ? `, ${stale} stale` : "";
  return `Applied ${count(applied, "operation")}, ${failed} failed, ${skipped} skipped${rest}.`;
}

/** States that the result of an apply could not be verified, and why. */
export function unverifiedNote(unproved: string): string {
  return printableLine(`the result could not be read back, so it is not verified: ${unproved}`);
}

/** The maximum number of entities to list. All other entities are counted, but not listed. */
const maxNamed = 3;

/** Lists the entities that still refer to a deleted entity, because the server has not removed the references in time. */
export function referencesNote({ urn, count: number, from }: ReferencesLeft, names?: Names): string {
  const first = from.slice(0, maxNamed);
  const more = number > first.length ? ` and ${number - first.length} more` : "";
  const named = first.length === 0 ? "" : `: ${namesOf(first, names)}${more}`;
  const refer = number === 1 ? "entity still refers" : "entities still refer";
  return printableLine(`${number} ${refer} to ${urnWithName(urn, names)}, which was deleted${named}`);
}

const approvalWays = {
  answer: "answered with yes",
  "auto-approve": "--auto-approve",
  "saved-plan": "as a saved plan",
};

/**
 * States who approved an apply, where the approver's name was found, and how the apply was approved. Returns `undefined` if no
 * approval is recorded.
 */
export function approvalText({ approvedBy, approval }: Run): string | undefined {
  const way = approval === undefined ? [] : [approvalWays[approval]];
  const who = approvedBy === undefined ? [] : [`by ${approvedBy.name} (${approvedBy.source})`];
  return way.length + who.length === 0 ? undefined : [...who, ...way].join(", ");
}

/** The heading for each class of drift. */
export const driftHeads: Readonly<Record<DriftClass, string>> = {
  changed: "Changed: the catalog differs from the declared values",
  missing: "Missing: declared values that are not in the catalog",
  pending: "Pending: changed in the manifests since the last apply",
};

/** Explains the signs used for drift. */
export function driftLegend(more = ""): string {
  return `\`+\` is in the catalog but not declared, \`-\` is declared but not in the catalog${more}.`;
}

/** Explains why no change counts as pending. */
export const withoutBaseNote =
  "Without a base (the last applied commit), it is unknown what was applied, so nothing counts as pending.";

/** States which shard a plan covers. Returns an empty string if the plan is not for a shard. */
export function shardNote({ shard }: Plan): string {
  if (!shard) return "";
  const name = `Shard ${shard.index} of ${shard.of}`;
  return shard.inputs === undefined
    ? `${name}.`
    : `${name}. \`merge-plans\` merges the plans for all shards, and guards check the result.`;
}

/** The heading for changed settings. */
export const settingsHead =
  "The settings have changed, so the plan covers every entity and uses the stricter of the old and new limits";

/** The heading for changed policies and waivers. */
export const policyChangesHead =
  "Policies or waivers have changed; ! marks changes that make policies less strict";

/** Prints a changed setting on one line, with a sign for the change. */
export function settingRow({ key, before, after, loosens }: SettingChange): Row {
  const values = [before, after].filter((value) => value !== null);
  const text = `${loosens ? "! " : ""}${key}: ${values.map((value) => value.replaceAll(/\s+/g, " ")).join(" → ")}`;
  return { sign: before === null ? "+" : after === null ? "-" : "~", text: printable(text) };
}

/** Returns the heading for unmanaged values. */
export function unmanagedHead({ unmanaged, git }: Plan): string {
  const isUnknown = git.base === null && unmanaged.some(({ reason }) => reason === "other-writer");
  const reason = isUnknown ? " (without a base, it is unknown what was declared before)" : "";
  return `Not managed, will not change${reason}`;
}

/** Warns about removed values that someone else may have added. Returns an empty string if there are none. */
export function removalNote({ changes, git }: Plan): string {
  const removed = pendingIn(changes)
    .filter(isFacetChange)
    .flatMap((change) => {
      const isReplaced = !isSetChange(change) && change.after !== null;
      // The note omits values that the server moves, because they are removed in every mode.
      return isReplaced ? [] : (change.removed ?? []).filter(({ movesTo }) => movesTo === undefined);
    });
  if (git.base === null) {
    // For a rollback, no warning is needed, because it removes only values that the original run wrote.
    if (removed.length === 0 || changes.some(isOfRollback)) return "";
    const them = removed.length === 1 ? "it" : "them";
    return `${count(removed.length, "value")} will be removed. There is no base (last applied commit) yet, so the plan cannot show who added ${them}. With a base, mode \`merge\` keeps values that someone else added.`;
  }
  const others = removed.filter(({ declaredBefore }) => declaredBefore === false).length;
  if (others === 0) return "";
  const [were, them] = others === 1 ? ["was", "it"] : ["were", "them"];
  return `${count(others, "value")} that ${were} not declared before will be removed. Mode \`merge\` would keep ${them}.`;
}

/**
 * States how many definitions are kept although they are no longer declared, and how to delete them. Returns an empty string if
 * there are none.
 */
export function keptDefinitionsNote({ scope }: Plan): string {
  const number = scope?.left?.entities.length ?? 0;
  if (number === 0) return "";
  return `${leftText(number, "definition")} Delete ${number === 1 ? "it" : "them"} with \`--prune --max-deletes ${number}\`.`;
}

/**
 * States how many values are kept although they are no longer declared, and how to remove them. Returns an empty string if there
 * are none.
 */
export function keptValuesNote({ scope, unmanaged }: Plan): string {
  const { entities = [], values = 0 } = scope?.left ?? {};
  const deletable = new Set<string>(entities);
  const listed = unmanaged.filter(
    ({ urn, facet, reason }) =>
      reason === "no-longer-declared" && facet !== undefined && canBePruned(facet) && !deletable.has(urn),
  );
  const number = values || listed.length;
  if (number === 0) return "";
  const them = number === 1 ? "it" : "them";
  const way =
    values > 0
      ? `Remove ${them} with \`--prune\`.`
      : `With \`prune: { assignments: true }\` in the settings, \`--prune\` removes ${them}.`;
  return `${leftText(number, "value")} ${way}`;
}

/**
 * Lists the stored fields that a rollback restores although manifests cannot express them. Returns an empty string if there are
 * none.
 */
export function restoredDataNote({ changes }: Plan): string {
  const creations = changes.filter(({ action }) => action !== "delete");
  const fields = creations.flatMap(({ aspects }) =>
    Object.entries(aspects ?? {}).flatMap(([aspect, own]) =>
      isJsonObject(own) ? Object.keys(own).map((field) => `\`${aspect}.${field}\``) : [],
    ),
  );
  const elements = creations
    .filter(isSetChange)
    .flatMap(({ facet, stored }) => (stored ? [`\`${facet}\``] : []));
  const named = [...fields, ...elements];
  if (named.length === 0) return "";
  const all = [...new Set(named)].toSorted(compareText).join(", ");
  return printableLine(`Stored values that manifests cannot express are also restored: ${all}.`);
}

/**
 * Warns about changes whose mutations also rewrite the other keys of the facet, and explains how to avoid this. Returns an empty
 * string if there are none.
 */
export function rewritingNote({ changes, writes }: Plan): string {
  if (writes === "conditional") return "";
  const rewriting = changes
    .filter(isFacetChange)
    .filter((change) => !isSetChange(change) && facetNamed(change.facet).scalar?.rewritesOtherKeys);
  const facets = [...new Set(rewriting.map(({ facet }) => `\`${facet}\``))].toSorted(compareText);
  if (facets.length === 0) return "";
  return `If someone edits other ${facets.join(" and ")} of the same entities at the same time, the server may lose that edit. \`writes: conditional\` in the settings prevents this (DataHub 0.14 or later).`;
}

function leftText(number: number, noun: string): string {
  const [are, stay] = number === 1 ? ["is", "stays"] : ["are", "stay"];
  return `${count(number, noun)} ${are} no longer declared and ${stay} in the catalog.`;
}
