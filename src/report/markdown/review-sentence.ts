import { facetNamed } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import {
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, keyOf } from "../../model/urn.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { keyOf as keyIn } from "../text/change-text.ts";
import { codeSpan, plainText } from "./escape.ts";
import { many } from "./section.ts";

/** The most parts of the sentence. */
const mostClauses = 10;

/**
 * What a plan does, in a sentence for people who do not know its manifests: "1 tag is deleted with 41 assignments, Ben
 * is no longer an owner of 2 datasets, domain Growth gets 3 datasets." What is lost comes first. What a conflict holds back is left out.
 */
export function reviewSentence({ changes, names }: Pick<Plan, "changes" | "names">): string {
  const pending = changes.filter((change) => !isInConflict(change));
  const edges = pending.filter(isFacetChange).flatMap(edgesOf);
  const told = (way: Edge["way"]): readonly string[] =>
    edgeClauses(
      edges.filter((edge) => edge.way === way),
      names,
    );
  const clauses = [
    ...deletionClauses(pending),
    ...told("loses"),
    ...valueClauses(pending, "lost"),
    ...creationClauses(pending),
    ...told("gains"),
    ...valueClauses(pending, "gained"),
  ];
  if (clauses.length === 0)
    return changes.length === 0 ? "Nothing changes." : "Conflicts hold back all changes.";
  const left = clauses.length - mostClauses;
  const shown = [...clauses.slice(0, mostClauses), ...(left > 0 ? [`and ${left} more`] : [])];
  return `${capitalised(shown.join(", "), edges)}.`;
}

/** A sentence that begins with a noun, or with a name that stays as it is. */
function capitalised(sentence: string, edges: readonly Edge[]): string {
  const isNoun = edges.some(({ noun }) => noun !== undefined && sentence.startsWith(`${noun} `));
  return isNoun ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

/** That an entity becomes a value, or is none any more. */
interface Edge {
  readonly way: "gains" | "loses";
  readonly subject: string;
  /** What happens to it, and to what: "is put on", "columns". */
  readonly words: string;
  /** What stands before it. */
  readonly noun: string | undefined;
  readonly unit: readonly [one: string, several: string];
}

function edgesOf(change: FacetChange): readonly Edge[] {
  const { told } = facetNamed(change.facet);
  if (!told) return [];
  const { gained, lost } = subjectsOf(change);
  const edge = (way: Edge["way"], subject: string): Edge => {
    return { way, subject, words: told[way], noun: told.noun, unit: unitOf(change) };
  };
  // Who is named on both sides has another role: `tally` counts it.
  return [
    ...lost.filter((each) => !gained.includes(each)).map((each) => edge("loses", each)),
    ...gained.filter((each) => !lost.includes(each)).map((each) => edge("gains", each)),
  ];
}

type Subjects = Readonly<Record<"gained" | "lost", readonly string[]>>;

function subjectsOf(change: FacetChange): Subjects {
  const { told } = facetNamed(change.facet);
  const { add, remove } = sidesOf(change);
  const [gained = [], lost = []] = [add, remove].map((side) => [
    ...new Set(side.map((value) => told?.subjectOf?.(value) ?? keyIn(value))),
  ]);
  return { gained, lost };
}

type Sides = Readonly<Record<"add" | "remove", readonly (Member | Scalar)[]>>;

function sidesOf(change: FacetChange): Sides {
  if (isSetChange(change)) return change;
  const [add, remove] = [change.after, change.before].map((value) => (value === null ? [] : [value]));
  return { add: add ?? [], remove: remove ?? [] };
}

function unitOf({ kind, column }: FacetChange): Edge["unit"] {
  return column === undefined ? nounOf(kind) : ["column", "columns"];
}

function nounOf(kind: string): Edge["unit"] {
  return [kind.toLowerCase(), kindOf(kind).plural];
}

function edgeClauses(edges: readonly Edge[], names?: Names): readonly string[] {
  return [...groupBy(edges, ({ subject, words }) => `${subject} ${words}`).values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const { subject = "", words = "", noun } = group[0] ?? {};
      const units = [...groupBy(group, ({ unit }) => unit[0]).values()].flatMap((those) => {
        const [first] = those;
        return first ? [many(those.length, first.unit)] : [];
      });
      const who = (noun === undefined ? "" : `${noun} `) + subjectText(subject, names);
      return `${who} ${words} ${units.join(" and ")}`;
    });
}

/** The display name, else the id: what stands in a URN means little to people. */
function subjectText(urn: string, names: Names = {}): string {
  const name = Object.hasOwn(names, urn) ? names[urn] : undefined;
  return name === undefined ? codeSpan(isUrn(urn) ? keyOf(urn) : urn) : plainText(name.slice(0, 80));
}

function deletionClauses(changes: readonly Change[]): readonly string[] {
  const deleted = changes.filter(
    (change): change is EntityChange => !isFacetChange(change) && change.action === "delete",
  );
  return [...groupBy(deleted, ({ kind }) => kind)].map(([kind, those]) => {
    const known = those.flatMap(({ assignments }) => assignments ?? []);
    const sum = known.reduce((total, each) => total + each, 0);
    const counted = sum > 0 ? ` with ${many(sum, ["assignment", "assignments"])}` : "";
    const unknown = known.length < those.length ? " (and assignments whose number is unknown)" : "";
    return `${many(those.length, nounOf(kind))} ${areOrIs(those.length)} deleted${counted}${unknown}`;
  });
}

function creationClauses(changes: readonly Change[]): readonly string[] {
  const created = changes.filter(({ action }) => action === "create");
  return [...groupBy(created, ({ kind }) => kind)].map(([kind, those]) => {
    const entities = new Set(those.map(({ urn }) => urn)).size;
    return `${many(entities, nounOf(kind))} ${areOrIs(entities)} created`;
  });
}

/** Values that name nobody, such as descriptions, and the roles of owners who stay. */
function valueClauses(changes: readonly Change[], way: "lost" | "gained"): readonly string[] {
  const counts = { unset: 0, replaced: 0, set: 0 };
  for (const change of changes) if (isFacetChange(change)) tally(change, counts);
  const words = way === "lost" ? (["unset", "replaced"] as const) : (["set"] as const);
  return words
    .filter((word) => counts[word] > 0)
    .map((word) => `${many(counts[word], ["value", "values"])} ${areOrIs(counts[word])} ${word}`);
}

function tally(change: FacetChange, counts: Record<"unset" | "replaced" | "set", number>): void {
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

function areOrIs(number: number): string {
  return number === 1 ? "is" : "are";
}
