/**
 * Determines whether documents or rules declare an entity. Selects the rules that match an entity, and the rules that can declare
 * entities of a kind.
 */

import type { ListedEntity } from "../../model/listing.ts";
import type { Asset, Exemptions, Rule } from "../../model/rule.ts";
import type { State } from "../../model/state.ts";
import type { Ignored } from "../base/ignore.ts";
import { doesMatch, matchesColumn } from "./match.ts";

/** The documents, rules and ignore rules that determine which entities are declared. */
export interface Declaring {
  /** The declarations in documents. */
  readonly state: State;
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
  readonly ignored: { readonly entity: Ignored["entity"] };
}

/**
 * Returns whether documents declare an entity, and whether rules declare a value for it. An ignored entity never counts as
 * declared.
 */
export function declaredBy(asset: Asset, declaring: Declaring): ListedEntity["declaredBy"] {
  const { state, ignored } = declaring;
  return {
    documents: state.has(asset.urn) && ignored.entity(asset.urn) === undefined,
    rules: rulesOf(asset, declaring).some((rule) => declaresSomething(rule, asset)),
  };
}

/** Returns the rules that match an asset, except rules from which its documents exempt it. */
export function rulesOf(asset: Asset, { rules, exempt, ignored }: Declaring): readonly Rule[] {
  if (ignored.entity(asset.urn) !== undefined) return [];
  const left = exempt.get(asset.urn);
  return rules.filter((rule) => left?.has(rule.id) !== true && doesMatch(rule, asset));
}

/** Whether a rule declares a value for an asset. A rule that declares only column values must match a column. */
function declaresSomething({ facets, columns }: Rule, asset: Asset): boolean {
  return (
    facets.size > 0 ||
    columns.some((each) => (asset.columns ?? []).some((column) => matchesColumn(each, column)))
  );
}

/** Returns the rules for a kind. Column patterns are omitted if they do not affect whether an asset is declared. */
export function decidingRules(rules: readonly Rule[], kind: string): readonly Rule[] {
  return rules
    .filter((rule) => rule.kind === kind)
    .map((rule) => ({ ...rule, columns: rule.facets.size > 0 ? [] : rule.columns }));
}
