/** Expands the rules of several commits together, one asset at a time. */

import { kindOfUrn } from "../../kinds/index.ts";
import type { Rule } from "../../model/rule.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { collectExpansion, type Declared, type Expanded, type Expansion } from "./expand.ts";
import type { IsIgnored } from "./expander.ts";
import { type History, historyOf } from "./history.ts";

/** The current and earlier documents and rules, to be expanded for the catalog's assets. */
export interface RuleSources {
  readonly now: Declared;
  /** Absent if the earlier declarations are unknown. */
  readonly history?: History;
  /** The declarations at the commit with which the current declarations are compared. */
  readonly comparisonBase?: Declared;
  /** The declarations at the last applied commit, if HEAD's history does not contain that commit. */
  readonly ahead?: Declared;
  readonly isIgnored: IsIgnored;
}

/** The current and earlier declarations of documents and rules for the catalog's assets. */
export interface ExpandedState {
  readonly now: Expanded;
  readonly before?: State;
  readonly applied?: State;
  readonly comparisonBase?: State;
  readonly ahead?: State;
}

/** Returns every distinct version of every rule, including versions in earlier commits. */
export function allRules({ now, history, comparisonBase, ahead }: RuleSources): readonly Rule[] {
  const before = history ? [history.anchor, ...history.later].flatMap(({ rules }) => rules) : [];
  return [...new Set([...now.rules, ...before, ...(comparisonBase?.rules ?? []), ...(ahead?.rules ?? [])])];
}

/** An expansion to which assets are added one by one. */
export interface StateExpansion extends Expansion<ExpandedState> {
  /** Adds an asset that could not be read. It is therefore unknown which rules match it. */
  addUnread(urn: Urn): void;
}

/**
 * Expands all rules. Unread assets are included in the current state and in the comparison base, so they do not seem to have been
 * removed. They are not included in the history.
 */
export function expandAll({ now, history, comparisonBase, ahead, isIgnored }: RuleSources): StateExpansion {
  const current = collectExpansion(now, isIgnored);
  const earlier = history && historyOf(history, isIgnored);
  const then = comparisonBase && collectExpansion(comparisonBase, isIgnored);
  const elsewhere = ahead && collectExpansion(ahead, isIgnored);
  const unread = new Map<Urn, Entity>();
  const withUnknown = (state: State): State => stateOver(unread, state, (_, entity) => entity);
  return {
    add: (asset) => {
      for (const each of [current, earlier, then, elsewhere]) each?.add(asset);
    },
    addUnread: (urn) => {
      const kind = kindOfUrn(urn)?.name;
      if (kind !== undefined && !isIgnored(urn)) unread.set(urn, { urn, kind, facets: new Map() });
    },
    result: () => {
      const expanded = current.result();
      return {
        now: { ...expanded, state: withUnknown(expanded.state) },
        ...earlier?.result(),
        ...(then && { comparisonBase: withUnknown(then.result().state) }),
        ...(elsewhere && { ahead: elsewhere.result().state }),
      };
    },
  };
}
