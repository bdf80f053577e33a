/** Writes the clauses of the sentence that summarizes a plan for reviewers. */

import { facetNamed } from "../../facets/index.ts";
import { columnOf } from "../../facets/places.ts";
import { nounOf } from "../../kinds/index.ts";
import type { FacetChange, ScalarChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import { isUrn, keyOf } from "../../model/urn.ts";
import { countedText } from "../count.ts";
import type { Edge } from "../document/edges.ts";
import { displayNameOf, entitiesText, keyOf as valueKeyOf } from "../document/values.ts";
import { codeSpan, linked, plainText } from "../markdown/escape.ts";
import { pageOf } from "../document/entity-page.ts";

/** The data for entity names and links: display names, and the base URL of DataHub's pages. */
export interface NamingContext extends Pick<Plan, "names" | "links"> {
  /** The entities that the plan creates. These entities have no page yet. */
  readonly created: ReadonlySet<string>;
}

/**
 * A clause of the sentence that summarizes a plan. The first clause is capitalized if it begins with a noun, but not if it begins
 * with a name.
 */
export interface Clause {
  readonly text: string;
  readonly isNoun?: boolean;
}

/** Writes a clause for each combination of entity and wording. The clause that covers the most changes comes first. */
export function edgeClauses(edges: readonly Edge[], naming: NamingContext): readonly Clause[] {
  return largestFirst(edges, (edge) => `${edge.subject} ${wordsOf(edge)}`).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const noun = facetNamed(first.change.facet).wording?.noun;
    const who = (noun === undefined ? "" : `${noun} `) + subjectText(first.subject, naming);
    const text = `${who} ${wordsOf(first)} ${placesText(group.map(({ change }) => change))}`;
    return [{ text, isNoun: noun !== undefined }];
  });
}

function wordsOf({ way, change }: Edge): string {
  return facetNamed(change.facet).wording?.[way] ?? "";
}

function largestFirst<Item>(
  items: readonly Item[],
  keyIn: (item: Item) => string,
): readonly (readonly Item[])[] {
  return [...groupBy(items, keyIn).values()].toSorted((a, b) => b.length - a.length);
}

/** Counts the affected entities (by kind) and the affected columns. */
function placesText(changes: readonly FacetChange[]): string {
  const units = groupBy(changes, (change) => (columnOf(change) === undefined ? change.kind : undefined));
  const counts = [...units].map(([kind, { length }]) =>
    kind === undefined ? countedText(length, "column") : entitiesText(length, kind),
  );
  return counts.join(" and ");
}

/** Returns an entity's display name, or its id if it has no display name, because URNs are hard to read. */
function subjectText(urn: string, { names, links, created }: NamingContext): string {
  const name = displayNameOf(urn, names);
  const text = name === undefined ? codeSpan(isUrn(urn) ? keyOf(urn) : urn) : nameText(name);
  return linked(text, created.has(urn) ? undefined : pageOf(urn, links));
}

function nameText(name: string): string {
  return plainText(name.slice(0, 80));
}

/** Writes a clause for each pair of old and new values. The pair that applies to the most entities comes first. */
export function moveClauses(moves: readonly ScalarChange[], naming: NamingContext): readonly Clause[] {
  return largestFirst(moves, (move) => endsOf(move).join(" ")).map((group) => {
    const [from, to] = group
      .slice(0, 1)
      .flatMap(endsOf)
      .map((urn) => subjectText(urn, naming));
    return { text: `${placesText(group)} ${group.length === 1 ? "moves" : "move"} from ${from} to ${to}` };
  });
}

function endsOf({ before, after }: ScalarChange): readonly string[] {
  return [before, after].map(valueKeyOf);
}

/** The maximum number of renamed entities to list per kind. If there are more, they are only counted. */
const maxRenames = 3;

/** Writes a clause for each renamed entity. If many entities of a kind are renamed, a single clause counts them. */
export function renameClauses(renames: readonly ScalarChange[]): readonly Clause[] {
  return [...groupBy(renames, ({ kind }) => kind)].flatMap(([kind, those]): readonly Clause[] => {
    if (those.length > maxRenames) return [{ text: `${entitiesText(those.length, kind)} are renamed` }];
    return those.map(({ urn, before, after }) => {
      const [from, to] = [before, after].map((name) => nameText(valueKeyOf(name)));
      const text = `${nounOf(kind)} ${codeSpan(keyOf(urn))} is renamed from ${from} to ${to}`;
      return { text, isNoun: true };
    });
  });
}
