import { facetNamed } from "../../facets/index.ts";
import {
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import {
  type Calling,
  type Clause,
  type Edge,
  edgeClauses,
  edgesOf,
  isMove,
  isRename,
  moveClauses,
  nounOf,
  renameClauses,
  subjectsOf,
} from "./edge-clauses.ts";
import { many } from "./section.ts";

/** The most parts of the sentence. */
const mostClauses = 10;

/**
 * What a plan does, in a sentence for people who do not know its manifests: "1 tag is deleted with 41 assignments, Ben
 * is no longer owner of 2 datasets, 3 datasets move from Sales to Growth." What weighs most comes first: deletions, owners,
 * domains, what else is lost, and at last what is gained. What a conflict holds back is left out.
 */
export function reviewSentence(told: Pick<Plan, "changes" | "names" | "links">): string {
  const { changes } = told;
  const pending = changes.filter((change) => !isInConflict(change));
  const created = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [urn] : [])));
  const clauses = clausesOf(pending, { ...told, created });
  if (clauses.length === 0)
    return changes.length === 0 ? "Nothing changes." : "Conflicts hold back all changes.";
  const left = clauses.length - mostClauses;
  const texts = clauses.slice(0, mostClauses).map(({ text }) => text);
  return `${capitalised([...texts, ...(left > 0 ? [`and ${left} more`] : [])].join(", "), clauses[0])}.`;
}

function capitalised(sentence: string, first: Clause | undefined): string {
  return first?.isNoun === true ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

function clausesOf(pending: readonly Change[], view: Calling): readonly Clause[] {
  const facetChanges = pending.filter(isFacetChange);
  const moves = facetChanges.filter(isMove);
  const renames = facetChanges.filter(isRename);
  const others = facetChanges.filter((change) => !isMove(change) && !isRename(change));
  const edges = others.flatMap(edgesOf);
  const edgesThat = (about: Edge["about"], way: Edge["way"]): readonly Clause[] =>
    edgeClauses(
      edges.filter((edge) => edge.about === about && edge.way === way),
      view,
    );
  const values = valueCounts(others);
  return [
    ...deletionClauses(pending),
    ...edgesThat("owner", "loses"),
    ...edgesThat("owner", "gains"),
    ...moveClauses(moves, view),
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
  const deleted = changes.filter(
    (change): change is EntityChange => !isFacetChange(change) && change.action === "delete",
  );
  return [...groupBy(deleted, ({ kind }) => kind)].map(([kind, those]) => {
    const known = those.flatMap(({ assignments }) => assignments ?? []);
    const sum = known.reduce((total, each) => total + each, 0);
    const counted = sum > 0 ? ` with ${many(sum, ["assignment", "assignments"])}` : "";
    const unknown = known.length < those.length ? " (and assignments whose number is unknown)" : "";
    const text = `${many(those.length, nounOf(kind))} ${areOrIs(those.length)} deleted${counted}${unknown}`;
    return { text };
  });
}

function creationClauses(changes: readonly Change[]): readonly Clause[] {
  const created = changes.filter(({ action }) => action === "create");
  return [...groupBy(created, ({ kind }) => kind)].map(([kind, those]) => {
    const entities = new Set(those.map(({ urn }) => urn)).size;
    return { text: `${many(entities, nounOf(kind))} ${areOrIs(entities)} created` };
  });
}

type Counts = Record<"unset" | "replaced" | "set", number>;

/** Values that name nobody, such as descriptions, and the roles of owners who stay. */
function valueCounts(changes: readonly FacetChange[]): Readonly<Counts> {
  const counts = { unset: 0, replaced: 0, set: 0 };
  for (const change of changes) tally(change, counts);
  return counts;
}

function tally(change: FacetChange, counts: Counts): void {
  if (facetNamed(change.facet).told) {
    const { gained, lost } = subjectsOf(change);
    counts.replaced += gained.filter((subject) => lost.includes(subject)).length;
  } else if (isSetChange(change)) {
    counts.unset += change.remove.length;
    counts.set += change.add.length;
  } else if (change.action !== "create") {
    counts[change.after === null ? "unset" : change.before === null ? "set" : "replaced"] += 1;
  }
}

function valueClause(counts: Readonly<Counts>, what: keyof Counts): readonly Clause[] {
  const number = counts[what];
  if (number === 0) return [];
  return [{ text: `${many(number, ["value", "values"])} ${areOrIs(number)} ${what}` }];
}

function areOrIs(number: number): string {
  return number === 1 ? "is" : "are";
}
