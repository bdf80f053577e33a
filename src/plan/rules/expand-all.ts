import { kindOfType } from "../../kinds/index.ts";
import type { Rule } from "../../model/rule.ts";
import { type Entity, type State, stateOver } from "../../model/state.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { type Declared, type Expanded, type Expansion, expansionOf } from "./expand.ts";
import type { IsIgnored } from "./expander.ts";
import { type History, historyOf } from "./history.ts";

/** What manifests declare, now and before, as long as it is not known which assets the catalog has. */
export interface RuleSources {
  readonly now: Declared;
  /** Absent where it is not known what was declared before. */
  readonly history?: History;
  /** What was declared where a comparison begins. */
  readonly since?: Declared;
  readonly isIgnored: IsIgnored;
}

/** All that is declared, now and before, by documents and by rules, of what the catalog has. */
export interface ExpandedState {
  readonly now: Expanded;
  readonly before?: State;
  readonly applied?: State;
  readonly since?: State;
}

/** Every rule at hand, also of earlier commits, each version once. */
export function allRules({ now, history, since }: RuleSources): readonly Rule[] {
  const before = history ? [history.anchor, ...history.later].flatMap(({ rules }) => rules) : [];
  return [...new Set([...now.rules, ...before, ...(since?.rules ?? [])])];
}

/** Rules at hand while assets come in. */
export interface StateExpansion extends Expansion<ExpandedState> {
  /** Notes an asset of which it is not known by what rules match it. */
  addUnread(urn: Urn): void;
}

/** Expands all rules. Assets that could not be read count as declared, so that nothing of them seems to be gone. */
export function expandAll({ now, history, since, isIgnored }: RuleSources): StateExpansion {
  const current = expansionOf(now, isIgnored);
  const earlier = history && historyOf(history, isIgnored);
  const then = since && expansionOf(since, isIgnored);
  const unread = new Map<Urn, Entity>();
  const withUnknown = (state: State): State => stateOver(unread, state, (_, entity) => entity);
  return {
    add: (asset) => {
      for (const each of [current, earlier, then]) each?.add(asset);
    },
    addUnread: (urn) => {
      const kind = kindOfType(entityTypeOf(urn))?.name;
      if (kind !== undefined && !isIgnored(urn)) unread.set(urn, { urn, kind, facets: new Map() });
    },
    result: () => {
      const expanded = current.result();
      return {
        now: { ...expanded, state: withUnknown(expanded.state) },
        ...earlier?.result(),
        ...(then && { since: withUnknown(then.result().state) }),
      };
    },
  };
}
