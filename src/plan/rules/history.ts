/** Expands the rules at earlier commits to find the earlier declarations for assets that currently exist. */

import { type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type Content, unitedContent } from "../base/declared-before.ts";
import type { Expansion } from "./expand.ts";
import { assetExpander, type DeclaringRules, type IsIgnored } from "./expander.ts";
import type { Matched } from "./group.ts";

/** The rules and asset documents at a later commit. */
export interface Epoch extends DeclaringRules {
  /**
   * The assets whose documents may have changed. The epoch contains only the documents for these assets. Absent if rules changed,
   * because all assets must then be expanded.
   */
  readonly only?: ReadonlySet<Urn>;
}

/** The declarations at the last applied commit, and the declarations at later commits. */
export interface History {
  readonly anchor: DeclaringRules;
  readonly later: readonly Epoch[];
  /** The entities that documents declare at later commits, each with all its declarations in documents up to those commits. */
  readonly documents: State;
}

/** The declarations at the last applied commit, and all declarations since that commit, for assets that currently exist. */
export interface DeclaredBefore {
  readonly applied: State;
  readonly before: State;
}

/**
 * Expands the rules at earlier commits for assets that currently exist. Uses the priorities, exemptions and documents at each
 * commit.
 */
export function historyOf(
  { anchor, later, documents }: History,
  isIgnored: IsIgnored,
): Expansion<DeclaredBefore> {
  const then = assetExpander(anchor, isIgnored);
  const epochs = later.map((epoch) => ({ only: epoch.only, ...assetExpander(epoch, isIgnored) }));
  const first = new Map<Urn, Matched>();
  const accumulated = new Map<Urn, Content>();
  const united = sharedUnion();
  return {
    add: (asset) => {
      const { urn } = asset;
      const matched = then.matchedBy(asset);
      if (matched) first.set(urn, matched);
      let before: Content | undefined;
      for (const { only, matchedBy, contentOf } of epochs) {
        const found = !only || only.has(urn) ? matchedBy(asset) : undefined;
        if (!found) continue;
        before ??= matched ? then.contentOf(urn, matched) : anchor.state.get(urn);
        before = united(before, contentOf(urn, found));
        accumulated.set(urn, before);
      }
    },
    result: () => {
      const applied = stateOver(anchor.state, first, then.entityOf);
      const ruled = stateOver(applied, accumulated, (urn, content) => ({ urn, ...content }));
      const before = stateOver(ruled, documents, (urn, entity) => {
        return { urn, ...unitedContent(ruled.get(urn), entity) };
      });
      return { applied, before };
    },
  };
}

const nothing: Content = { kind: "", facets: new Map() };

type Union = (before: Content | undefined, later: Content) => Content;

/**
 * Creates a function that combines each pair of declarations only once, because the same few pairs occur for thousands of assets.
 */
function sharedUnion(): Union {
  const known = new WeakMap<Content, WeakMap<Content, Content>>();
  return (before, later) => {
    const own = known.get(before ?? nothing) ?? new WeakMap<Content, Content>();
    known.set(before ?? nothing, own);
    const united = own.get(later) ?? unitedContent(before, later);
    own.set(later, united);
    return united;
  };
}
