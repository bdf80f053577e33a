import { columnOf } from "../../facets/places.ts";
import { facetNamed } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { type FacetChange, isSetChange, type ScalarChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, keyOf } from "../../model/urn.ts";
import { keyOf as keyIn } from "../text/change-text.ts";
import { codeSpan, linked, plainText } from "./escape.ts";
import { pageOf } from "./pages.ts";
import { many } from "./section.ts";

/** How the sentence calls entities: by their names, as links where their pages are known. */
export interface Calling extends Pick<Plan, "names" | "links"> {
  /** What does not exist yet, and so has no page. */
  readonly created: ReadonlySet<string>;
}

/** A part of the sentence. One that begins with a noun is capitalised where it is the first; a name stays as it is. */
export interface Clause {
  readonly text: string;
  readonly isNoun?: boolean;
}

/** That an entity becomes a value, or is none any more. */
export interface Edge {
  readonly way: "gains" | "loses";
  readonly about: "owner" | "home" | "other";
  readonly subject: string;
  /** What happens to it, and to what: "is put on", "columns". */
  readonly words: string;
  /** What stands before it. */
  readonly noun: string | undefined;
  readonly unit: readonly [one: string, several: string];
}

/** What a change says of those that its values name. Who is named on both sides is in neither list. */
export function edgesOf(change: FacetChange): readonly Edge[] {
  const { told, holdsOwners, isHome } = facetNamed(change.facet);
  if (!told) return [];
  const about = holdsOwners === true ? "owner" : isHome === true ? "home" : "other";
  const { gained, lost } = subjectsOf(change);
  const edge = (way: Edge["way"], subject: string): Edge => {
    return { way, about, subject, words: told[way], noun: told.noun, unit: unitOf(change) };
  };
  return [
    ...lost.filter((each) => !gained.includes(each)).map((each) => edge("loses", each)),
    ...gained.filter((each) => !lost.includes(each)).map((each) => edge("gains", each)),
  ];
}

type Subjects = Readonly<Record<"gained" | "lost", readonly string[]>>;

/** Whom a change adds and takes away. */
export function subjectsOf(change: FacetChange): Subjects {
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

function unitOf(change: FacetChange): Edge["unit"] {
  return columnOf(change) === undefined ? nounOf(change.kind) : ["column", "columns"];
}

/** What entities of a kind are called. */
export function nounOf(kind: string): Edge["unit"] {
  return [kind.toLowerCase(), kindOf(kind).plural];
}

/** A clause for each entity that is named, the one with the most first. */
export function edgeClauses(edges: readonly Edge[], view: Calling): readonly Clause[] {
  return [...groupBy(edges, ({ subject, words }) => `${subject} ${words}`).values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const { subject = "", words = "", noun } = group[0] ?? {};
      const who = (noun === undefined ? "" : `${noun} `) + subjectText(subject, view);
      return { text: `${who} ${words} ${unitsText(group)}`, isNoun: noun !== undefined };
    });
}

function unitsText(units: readonly Pick<Edge, "unit">[]): string {
  const counts = [...groupBy(units, ({ unit }) => unit[0]).values()].flatMap((those) => {
    const [first] = those;
    return first ? [many(those.length, first.unit)] : [];
  });
  return counts.join(" and ");
}

/** The display name, else the id: what stands in a URN means little to people. */
function subjectText(urn: string, { names = {}, links, created }: Calling): string {
  const name = Object.hasOwn(names, urn) ? names[urn] : undefined;
  const text = name === undefined ? codeSpan(isUrn(urn) ? keyOf(urn) : urn) : nameText(name);
  return linked(text, created.has(urn) ? undefined : pageOf(urn, links));
}

function nameText(name: string): string {
  return plainText(name.slice(0, 80));
}

/** Whether a change takes an entity from one place to another, such as from a domain to the next. */
export function isMove(change: FacetChange): change is ScalarChange {
  return isReplacement(change) && facetNamed(change.facet).told !== undefined;
}

/** Whether a change replaces the display name of an entity. */
export function isRename(change: FacetChange): change is ScalarChange {
  return isReplacement(change) && kindOf(change.kind).displayName === change.facet;
}

function isReplacement(change: FacetChange): change is ScalarChange {
  return !isSetChange(change) && change.before !== null && change.after !== null;
}

/** A clause for each two places between which entities move, those with the most first. */
export function moveClauses(moves: readonly ScalarChange[], view: Calling): readonly Clause[] {
  const ways = groupBy(moves, ({ before, after }) => `${String(before)} ${String(after)}`);
  return [...ways.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const [from, to] = [group[0]?.before, group[0]?.after].map((urn) => subjectText(String(urn), view));
      const units = unitsText(group.map((change) => ({ unit: unitOf(change) })));
      return { text: `${units} ${group.length === 1 ? "moves" : "move"} from ${from} to ${to}` };
    });
}

/** More renamed entities of a kind than this are counted. */
const mostRenames = 3;

/** A clause for each renamed entity; of many of a kind their number. */
export function renameClauses(renames: readonly ScalarChange[]): readonly Clause[] {
  return [...groupBy(renames, ({ kind }) => kind)].flatMap(([kind, those]): readonly Clause[] => {
    if (those.length > mostRenames) return [{ text: `${many(those.length, nounOf(kind))} are renamed` }];
    return those.map(({ urn, before, after }) => {
      const [from, to] = [before, after].map((name) => nameText(String(name)));
      const text = `${nounOf(kind)[0]} ${codeSpan(keyOf(urn))} is renamed from ${from} to ${to}`;
      return { text, isNoun: true };
    });
  });
}
