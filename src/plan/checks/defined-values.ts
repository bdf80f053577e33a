/** Checks values against the definitions of their keys, and definition changes against the server's rules. */

import { appendTo } from "../../model/append.ts";
import { facetNamed } from "../../facets/index.ts";
import { entitiesNamedIn, namesOfPlace } from "../../facets/places.ts";
import type { Definitions } from "../../facets/map-contract.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { type ServerFields, lacksField, type Live } from "../../model/live.ts";
import type { Origin } from "../../model/origin.ts";
import { leavesOf, type Path, type Place } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import {
  type Entity,
  type Leaf,
  isMember,
  memberText,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { facetsAfter } from "../base/values.ts";
import type { Check } from "./check.ts";
import { contradictionAfter, contradictionIn } from "./contradicting-definitions.ts";

/** Checks the values and definitions that the changes write. */
export const checkDefinedValues: Check = ({ desired, catalog: { live, definitions }, pending }) => {
  const defined = { declared: desired.state, live, definitions };
  return [
    ...unfitValues(pending, defined),
    ...refusedChanges(pending, defined),
    ...unremovableValues(pending, live),
  ];
};

/** The declared and live definitions. `definitions` contains only definitions that no manifest declares. */
export interface Defined {
  readonly declared: State;
  readonly live: Live;
  readonly definitions: State | undefined;
}

/**
 * Returns problems for written values that the planned definitions of their keys do not allow. DataHub enforces only a few of
 * these rules. Reports one problem for each position, because all assets that a rule matches share one position.
 */
export function unfitValues(
  changes: readonly Change[],
  { declared, live, definitions }: Defined,
): readonly Problem[] {
  const own = changes.filter(isFacetChange);
  const byUrn = groupBy(own, ({ urn }) => urn);
  const written = own
    .filter(({ pruned }) => !pruned)
    .map((change): Written => {
      const { source } = change;
      const leaf = isSetChange(change) ? setOf(change.add) : scalarOf(change.after);
      return { ...change, leaf, ...(source && { origin: source }) };
    });
  const after = (urn: Urn): Entity["facets"] | undefined => {
    const before = live.state.get(urn) ?? definitions?.get(urn) ?? declared.get(urn);
    return before && facetsAfter(before.facets, byUrn.get(urn) ?? []);
  };
  const contradicting = [...byUrn].flatMap(([urn, changesOfIt]) =>
    contradictionAfter(changesOfIt, () => after(urn)),
  );
  return [...unfit(written, after), ...contradicting];
}

/**
 * Returns problems for declared values that declared definitions do not allow. The definition's mode is ignored, because values
 * that other writers add to a definition are not reviewed with the manifests.
 */
export function unfitDeclarations(state: State, rules: readonly Rule[]): readonly Problem[] {
  const assets: Written[] = [];
  for (const { urn, kind, facets } of state.values()) appendTo(assets, writtenIn({ urn, kind }, facets));
  const byRules = rules.flatMap(({ kind, facets, columns }) => {
    const ofColumns = columns.flatMap(({ pattern, facets: own }) =>
      [...own].flatMap(([facet, value]) =>
        writtenIn({ urn: "", kind }, new Map([[facet, value]]), [pattern]),
      ),
    );
    return [...writtenIn({ urn: "", kind }, facets), ...ofColumns];
  });
  const unfitting = unfit([...assets, ...byRules], (urn) => state.get(urn)?.facets);
  return [...unfitting, ...[...state.values()].flatMap(contradictionIn)];
}

/** An entity. An empty URN represents all entities that a rule matches. */
interface Owner {
  readonly urn: string;
  readonly kind: string;
}

/** A value at its place in an entity, or in all entities that a rule matches. */
interface Written extends Owner, Place {
  readonly leaf: Leaf;
  readonly origin?: Origin;
}

function writtenIn(about: Owner, facets: Entity["facets"], above: Path = []): readonly Written[] {
  const defined = [...facets].filter(([facet]) => definitionsOf(facet) !== undefined);
  return defined.flatMap(([facet, value]) =>
    leavesOf(value, above).map(([path, leaf]) => ({
      ...about,
      facet,
      path,
      leaf,
      ...(leaf.origin && { origin: leaf.origin }),
    })),
  );
}

function unfit(
  values: readonly Written[],
  facetsOf: (definition: Urn) => Entity["facets"] | undefined,
): readonly Problem[] {
  const known = new Map<Urn, Entity["facets"] | undefined>();
  const problems = new Map<string, Problem>();
  for (const value of values) {
    const definitions = definitionsOf(value.facet);
    const definition = definitions && entitiesNamedIn(value).at(-1);
    if (!definitions || !definition) continue;
    if (!known.has(definition)) known.set(definition, facetsOf(definition));
    const facets = known.get(definition);
    const problem = facets && unfitBy(value, { definition, facets, definitions });
    const { file, line, column } = value.origin ?? { file: value.urn, line: 0, column: 0 };
    if (problem) problems.set(`${file}:${line}:${column}`, problem);
  }
  return [...problems.values()];
}

function definitionsOf(name: string): Definitions | undefined {
  const facet = facetNamed(name);
  return facet.shape === "map" ? facet.definitions : undefined;
}

interface Definition {
  readonly definition: Urn;
  readonly facets: Entity["facets"];
  readonly definitions: Definitions;
}

function unfitBy(value: Written, { definition, facets, definitions }: Definition): Problem | undefined {
  const { urn, kind, leaf, origin } = value;
  const about = { severity: "error", ...(origin && { origin }) } as const;
  const types = definitions.typesInstead(kind, facets);
  if (types) return { ...about, code: "unfit-entity", args: { kind, urn, definition, types } };
  const expected = definitions.expected(leaf, facets);
  if (expected === undefined) return undefined;
  const found =
    leaf.shape === "set" ? `[${leaf.members.map(memberText).join(", ")}]` : textOfSingle(leaf.value);
  return { ...about, code: "unfit-value", args: { kind, urn, path: pathOf(value), found, expected } };
}

function textOfSingle(value: Scalar): string {
  return isMember(value) ? memberText(value) : "none";
}

/** Returns a place in the notation that manifests use. */
export function pathOf(place: Place): string {
  const { facet, path = [] } = namesOfPlace(place).at(-1) ?? place;
  const [outer, ...inner] = facet.split(".");
  return [outer, ...path.slice(0, inner.length), ...inner, ...path.slice(inner.length)].join(".");
}

/**
 * Returns problems for changes that DataHub does not allow for existing definitions. Each problem includes the allowed
 * alternative.
 */
export function refusedChanges(changes: readonly Change[], { live }: Defined): readonly Problem[] {
  const byUrn = groupBy(changes.filter(isFacetChange), ({ urn }) => urn);
  return [...byUrn].flatMap(([urn, own]): readonly Problem[] => {
    const before = live.state.get(urn);
    if (!before) return [];
    const { kind, facets } = before;
    const refused = kindOf(kind).refusedChanges?.(facets, facetsAfter(facets, own)) ?? [];
    return refused.map(({ facet, reason, way }) => {
      const origin = own.find((change) => change.facet === facet)?.source;
      const args = { kind, urn, facet, reason, way };
      return { code: "refused-change", severity: "error", args, ...(origin && { origin }) };
    });
  });
}

/** A definition with a change that may make existing values invalid. */
interface Outdating {
  readonly urn: Urn;
  readonly kind: string;
  readonly source: FacetChange["source"];
}

/** Returns the definitions with changes that may make existing values invalid, each with the position of its first change. */
export function outdatingChanges(changes: readonly Change[], { state }: Live): readonly Outdating[] {
  const byUrn = groupBy(changes.filter(isFacetChange), ({ urn }) => urn);
  return [...byUrn].flatMap(([urn, own]): readonly Outdating[] => {
    const before = state.get(urn);
    if (
      !before ||
      kindOf(before.kind).outdatesValues?.(before.facets, facetsAfter(before.facets, own)) !== true
    )
      return [];
    return [{ urn, kind: before.kind, source: own.find(({ source }) => source)?.source }];
  });
}

/** Returns a problem for each value that the plan removes although the server's release does not support removing it. */
export function unremovableValues(changes: readonly Change[], live: ServerFields): readonly Problem[] {
  return changes.filter(isFacetChange).flatMap((change): readonly Problem[] => {
    const { urn, kind, source } = change;
    const needed = facetNamed(change.facet).scalar?.unsetBy;
    const isUnset = change.shape === "scalar" && change.after === null;
    if (!isUnset || needed === undefined || !lacksField(live, needed)) return [];
    const args = { kind, urn, path: pathOf(change) };
    return [{ code: "unremovable-value", severity: "error", args, ...(source && { origin: source }) }];
  });
}
