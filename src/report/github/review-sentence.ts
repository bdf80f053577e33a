/** Summarizes a plan in one sentence for reviewers. */

import { facetNamed } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import { planHasValuesHeldBack, pendingIn } from "../../model/held-back.ts";
import { countedText, sum } from "../count.ts";
import { type Edge, edgesOf, subjectsOf } from "../document/edges.ts";
import { isReplacement } from "../document/losses.ts";
import { entitiesText } from "../document/values.ts";
import { type Clause, edgeClauses, moveClauses, type NamingContext, renameClauses } from "./clauses.ts";

/** The maximum number of clauses to write. Further clauses are only counted. */
const maxClauses = 10;

/**
 * Describes a plan's effect for readers who are not familiar with the manifests, such as "1 tag is deleted with 41 assignments,
 * Ben is no longer an owner of 2 datasets, 3 datasets move from Sales to Growth." The most important changes come first:
 * deletions, owners, domains, other losses, then gains. Omits changes that are held back.
 */
export function reviewSentence(plan: Pick<Plan, "changes" | "names" | "links">): string {
  const { changes } = plan;
  const pending = pendingIn(changes);
  const created = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [urn] : [])));
  const clauses = clausesOf(pending, { ...plan, created });
  const [first] = clauses;
  if (!first) return changes.length === 0 ? "Nothing changes." : heldText(changes);
  const left = clauses.length - maxClauses;
  const texts = clauses.slice(0, maxClauses).map(({ text }) => text);
  const sentence = [...texts, ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
  return `${first.isNoun === true ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence}.`;
}

function heldText(changes: Plan["changes"]): string {
  return planHasValuesHeldBack({ changes })
    ? "All changes are held back."
    : "Conflicts hold back all changes.";
}

function clausesOf(pending: readonly Change[], naming: NamingContext): readonly Clause[] {
  const replacements = pending.filter(isReplacement);
  // Moves between entities, such as from one domain to another.
  const moves = replacements.filter(({ facet }) => facetNamed(facet).wording !== undefined);
  const renames = replacements.filter(({ kind, facet }) => kindOf(kind).displayName === facet);
  const separate = new Set<Change>([...moves, ...renames]);
  const others = pending.filter(isFacetChange).filter((change) => !separate.has(change));
  const edges = others.flatMap(edgesOf);
  const edgesThat = (about: Edge["about"], way: Edge["way"]): readonly Clause[] =>
    edgeClauses(
      edges.filter((edge) => edge.about === about && edge.way === way),
      naming,
    );
  const values = valueCounts(others);
  return [
    ...deletionClauses(pending),
    ...edgesThat("owner", "loses"),
    ...edgesThat("owner", "gains"),
    ...moveClauses(moves, naming),
    ...edgesThat("home", "loses"),
    ...edgesThat("other", "loses"),
    ...valueClause(values, "unset"),
    ...valueClause(values, "replaced"),
    ...renameClauses(renames),
    ...creationClauses(pending),
    ...edgesThat("home", "gains"),
    ...edgesThat("other", "gains"),
    ...valueClause(values, "set"),
  ];
}

function deletionClauses(changes: readonly Change[]): readonly Clause[] {
  const deleted = changes.flatMap((change) =>
    change.shape === "entity" && change.action === "delete" ? [change] : [],
  );
  return [...groupBy(deleted, ({ kind }) => kind)].map(([kind, those]) => {
    const known = those.flatMap(({ assignments }) => assignments ?? []);
    const all = sum(known);
    const counted = all > 0 ? ` with ${countedText(all, "assignment")}` : "";
    const unknown = known.length < those.length ? " (and an unknown number of assignments)" : "";
    return { text: `${entitiesText(those.length, kind)} ${be(those.length)} deleted${counted}${unknown}` };
  });
}

function creationClauses(changes: readonly Change[]): readonly Clause[] {
  const created = changes.filter(({ action }) => action === "create");
  return [...groupBy(created, ({ kind }) => kind)].map(([kind, those]) => {
    const entities = new Set(those.map(({ urn }) => urn)).size;
    return { text: `${entitiesText(entities, kind)} ${be(entities)} created` };
  });
}

type Counts = Record<"unset" | "replaced" | "set", number>;

/** Counts owners whose role changes, and values that do not refer to an entity, such as descriptions. */
function valueCounts(changes: readonly FacetChange[]): Readonly<Counts> {
  const counts = { unset: 0, replaced: 0, set: 0 };
  for (const change of changes) {
    if (facetNamed(change.facet).wording) {
      const { gained, lost } = subjectsOf(change);
      counts.replaced += gained.filter((subject) => lost.includes(subject)).length;
    } else if (isSetChange(change)) {
      counts.unset += change.remove.length;
      counts.set += change.add.length;
    } else if (change.action !== "create") {
      counts[change.after === null ? "unset" : change.before === null ? "set" : "replaced"] += 1;
    }
  }
  return counts;
}

function valueClause(counts: Readonly<Counts>, what: keyof Counts): readonly Clause[] {
  const number = counts[what];
  return number === 0 ? [] : [{ text: `${countedText(number, "value")} ${be(number)} ${what}` }];
}

function be(number: number): string {
  return number === 1 ? "is" : "are";
}
