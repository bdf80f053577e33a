import { facetNamed } from "../../facets/index.ts";
import { entitiesNamedIn, namesOfPlace } from "../../facets/places.ts";
import type { Definitions } from "../../facets/facet.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { lacks, type Live } from "../../model/live.ts";
import { leafIn, type Place, valueFrom } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  memberKey,
  scalarOf,
  setOf,
  type State,
  without,
} from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { valueKey } from "../diff/values.ts";

/** Where definitions are: declared, and live; `definitions` are those that nobody declares. */
export interface Defined {
  readonly declared: State;
  readonly live: Live;
  readonly definitions: State | undefined;
}

/**
 * The values that changes write and the definitions of their keys do not allow, as these will be after the plan. DataHub enforces
 * few of the rules. One problem for each place: all assets of a rule have the same.
 */
export function unfitValues(changes: readonly Change[], defined: Defined): readonly Problem[] {
  const byUrn = groupBy(changes.filter(isFacetChange), ({ urn }) => urn);
  const known = new Map<Urn, Entity["facets"] | undefined>();
  const definitionOf = (urn: Urn): Entity["facets"] | undefined => {
    if (!known.has(urn)) known.set(urn, facetsAfter(urn, byUrn.get(urn) ?? [], defined));
    return known.get(urn);
  };
  const problems = new Map<string, Problem>();
  for (const change of changes.filter(isFacetChange)) {
    const facet = facetNamed(change.facet);
    const definitions = facet.shape === "map" ? facet.definitions : undefined;
    const definition = definitions && entitiesNamedIn(change).at(-1);
    const facets = definition && definitionOf(definition);
    if (!definitions || !facets || change.pruned) continue;
    const problem = unfit(change, { definition, facets, definitions });
    const { origin = { file: change.urn, line: 0, column: 0 } } = problem ?? {};
    if (problem) problems.set(`${origin.file}:${origin.line}:${origin.column}`, problem);
  }
  return [...problems.values()];
}

interface Definition {
  readonly definition: Urn;
  readonly facets: Entity["facets"];
  readonly definitions: Definitions;
}

function unfit(change: FacetChange, { definition, facets, definitions }: Definition): Problem | undefined {
  const { urn, kind, source } = change;
  const about = { severity: "error", ...(source && { origin: source }) } as const;
  const types = definitions.typesInstead(kind, facets);
  if (types) return { ...about, code: "unfit-entity", args: { kind, urn, definition, types } };
  const leaf = isSetChange(change) ? setOf(change.add) : scalarOf(change.after);
  const expected = definitions.expected(leaf, facets);
  if (expected === undefined) return undefined;
  const found = isSetChange(change)
    ? `[${change.add.map(memberKey).join(", ")}]`
    : valueKey(change.after ?? "none");
  return { ...about, code: "unfit-value", args: { kind, urn, path: pathOf(change), found, expected } };
}

/** A place as a manifest names it. */
function pathOf(place: Place): string {
  const { facet, path = [] } = namesOfPlace(place).at(-1) ?? place;
  const [outer, ...inner] = facet.split(".");
  return [outer, ...path.slice(0, inner.length), ...inner, ...path.slice(inner.length)].join(".");
}

/** The facets of a definition after the plan; `undefined` where it is not known. */
function facetsAfter(
  urn: Urn,
  changes: readonly FacetChange[],
  { declared, live, definitions }: Defined,
): Entity["facets"] | undefined {
  const before = live.state.get(urn) ?? definitions?.get(urn);
  return before ? withChanges(before, changes) : declared.get(urn)?.facets;
}

function withChanges(before: Entity, changes: readonly FacetChange[]): Entity["facets"] {
  const facets = new Map<string, FacetValue>(before.facets);
  for (const change of changes)
    facets.set(change.facet, valueFrom([[change.path ?? [], leafAfter(before, change)]]));
  return facets;
}

function leafAfter(before: Entity, change: FacetChange): Leaf {
  if (!isSetChange(change)) return scalarOf(change.after);
  const leaf = leafIn(before, change);
  const had = leaf?.shape === "set" ? leaf.members : [];
  return setOf([...without(had, change.remove), ...change.add]);
}

/** The changes of existing definitions that DataHub refuses, each with what it takes instead. */
export function refusedChanges(changes: readonly Change[], { live }: Defined): readonly Problem[] {
  const updates = changes.filter(isFacetChange).filter(({ action }) => action === "update");
  return [...groupBy(updates, ({ urn }) => urn)].flatMap(([urn, own]): readonly Problem[] => {
    const before = live.state.get(urn);
    const refused = before && kindOf(before.kind).refusedChanges?.(before.facets, withChanges(before, own));
    return (refused ?? []).map(({ facet, reason, way }) => {
      const origin = (own.find((change) => change.facet === facet) ?? own[0])?.source;
      return {
        code: "refused-change",
        severity: "error",
        args: { kind: before?.kind ?? "", urn, facet, reason, way },
        ...(origin && { origin }),
      };
    });
  });
}

/** The values that changes take away and the server's release cannot. */
export function unremovableValues(
  changes: readonly Change[],
  live: Pick<Live, "fields">,
): readonly Problem[] {
  return changes.filter(isFacetChange).flatMap((change): readonly Problem[] => {
    const { urn, kind, source } = change;
    const needed = facetNamed(change.facet).scalar?.unsetBy;
    const isUnset = change.shape === "scalar" && change.after === null;
    if (!isUnset || needed === undefined || !lacks(live, needed)) return [];
    const args = { kind, urn, path: pathOf(change) };
    return [{ code: "unremovable-value", severity: "error", args, ...(source && { origin: source }) }];
  });
}
