/** Expands rules for missing and soft-deleted assets, and for assets with dropped columns. */

import type { Asset, Rule } from "../../model/rule.ts";
import type { Urn } from "../../model/urn.ts";
import type { Expansion } from "./expand.ts";
import { allRules, type RuleSources, expandAll } from "./expand-all.ts";
import type { DeclaredDormant } from "../base/declared-before.ts";

/** The declarations for missing assets and for assets with missing columns. */
interface RuledDormant {
  readonly declared: readonly DeclaredDormant[];
  /** The URNs of all expanded assets. */
  readonly ruled: ReadonlySet<Urn>;
}

/**
 * Expands rules for missing assets. The native type of a dropped column is unknown, so the expansion tries each type that occurs
 * in rules.
 */
export function expandForDormant(rules: RuleSources): Expansion<RuledDormant> {
  const ruled = new Set<Urn>();
  const expansions = [undefined, ...nativeTypesIn(allRules(rules))].map((nativeType) => ({
    nativeType,
    expansion: expandAll(rules),
  }));
  return {
    add: (asset) => {
      ruled.add(asset.urn);
      for (const { nativeType, expansion } of expansions) expansion.add(withTypes(asset, nativeType));
    },
    result: () => ({
      ruled,
      declared: expansions.flatMap(({ expansion }) => {
        const { now, before } = expansion.result();
        return before ? [{ now: now.state, before }] : [];
      }),
    }),
  };
}

/** Returns, for each native-type pattern in the rules, a native type that matches it. */
function nativeTypesIn(rules: readonly Rule[]): ReadonlySet<string> {
  const patterns = rules.flatMap(({ columns }) => columns.flatMap(({ nativeTypes = [] }) => nativeTypes));
  return new Set(patterns.map((pattern) => pattern.replaceAll("*", "")));
}

function withTypes(asset: Asset, nativeType: string | undefined): Asset {
  if (nativeType === undefined || !asset.columns) return asset;
  return { ...asset, columns: asset.columns.map((column) => ({ nativeType, ...column })) };
}
