/**
 * Selects the entities for a plan according to its options, rejects options without a match, and reads the declarations at the
 * merge base.
 */

import { forkOf } from "../../git/commit.ts";
import type { Shard } from "../../model/plan.ts";
import type { Rule } from "../../model/rule.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { changedDeclarations } from "../../plan/align/changed-declarations.ts";
import { shardOf } from "../../plan/shard.ts";
import { matching, type Narrowing, narrowedBy } from "../../plan/align/select.ts";
import { currentManifests } from "./base-files.ts";
import { ScopeError } from "./errors.ts";
import { changesProblem, faultOf } from "./fault.ts";
import { declaredAt, type DeclaredEarlier, type KnownBase } from "./history.ts";
import { type RequestedNames, suggestedName } from "./named-selection.ts";
import type { PolicyChoices } from "./policy.ts";
import type { Repository } from "./repository.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** A selection of entities in a repository, and the base. An empty selection includes all entities. */
export interface Selection extends Narrowing {
  /** A ref. Selects entities whose declarations have changed since the merge base of HEAD and this ref. */
  readonly changedSince?: string | undefined;
  /** Rule ids. Selects assets that at least one of these rules matches. */
  readonly rules?: readonly string[] | undefined;
  /** Selects the entities of a shard. It cannot be combined with other options, because shards divide the full catalog. */
  readonly shard?: Shard | undefined;
  /** The ref for the last applied commit, if it is not `base` in the settings. */
  readonly base?: string | undefined;
}

/** A requested selection whose names have not been resolved yet. */
export type RequestedSelection = Omit<Selection, keyof RequestedNames> & RequestedNames;

/** A repository, and the selection of entities in its manifests. */
export interface SelectedRepository {
  readonly repository: Repository;
  readonly selection: Selection;
}

/** The request for a plan: the repository, the policy and the selection. */
export interface ScopeRequest extends SelectedRepository {
  readonly policy: PolicyChoices;
  /** Aborts reading the manifests and their history. */
  readonly signal?: AbortSignal | undefined;
}

/** The declarations to select from: the current ones, the earlier ones, and those at the merge base with `changedSince`. */
interface Selectable {
  readonly now: State;
  readonly before?: State | undefined;
  readonly since?: State | undefined;
  /** Entities that may differ from `since`. If absent, any entity may differ. */
  readonly touched?: ReadonlySet<Urn> | undefined;
  /** Returns the assets that a rule currently matches. */
  readonly matchedBy: (rule: string) => readonly Urn[];
}

/**
 * Returns the selected entities among those that are declared now or were declared before, or `undefined` for all entities.
 * Throws `ScopeError` if nothing matches.
 */
export function selectedOf(
  { rules, shard, ...selection }: Selection,
  { now, before, since, touched, matchedBy }: Selectable,
): ReadonlySet<Urn> | undefined {
  const all = (): ReadonlySet<Urn> => new Set([...now.keys(), ...(before?.keys() ?? [])]);
  if (shard) return new Set([...all()].filter((urn) => shardOf(urn, shard.of) === shard.index));
  const changed = since && changedDeclarations(since, now, touched);
  const matched = rules?.flatMap(matchedBy).filter((urn) => changed?.has(urn) !== false);
  const some = matched ? new Set(matched) : changed;
  refuseUnmatched(selection, all());
  const isNarrowed = narrowedBy(selection);
  if (!isNarrowed) return some;
  const selected = [...(some ?? all())].filter((urn) => {
    const entity = now.get(urn) ?? before?.get(urn);
    return entity !== undefined && isNarrowed(entity);
  });
  if (selected.length === 0 && !some) {
    const suggestion = suggestedName(selection, now);
    throw new ScopeError({ code: "no-match", ...narrowingIn(selection), suggestion });
  }
  return new Set(selected);
}

/** Throws `ScopeError` if a pattern excludes nothing, because the plan would include entities that the user wanted to exclude. */
function refuseUnmatched({ excluded = [] }: Narrowing, all: ReadonlySet<Urn>): void {
  const unmatched = excluded.filter((pattern) => ![...all].some(matching([pattern])));
  if (unmatched.length > 0) throw new ScopeError({ code: "excludes-nothing", patterns: unmatched });
}

const fieldOfFlag = {
  target: "targets",
  exclude: "excluded",
  kind: "kinds",
  platform: "platforms",
  domain: "domains",
  rule: "rules",
  "changed-since": "changedSince",
} as const satisfies Readonly<Record<string, keyof Selection>>;

type PartFlag = keyof typeof fieldOfFlag;

const partFlags = Object.keys(fieldOfFlag) as readonly PartFlag[];

/** Returns only the fields of a selection that belong to `Narrowing`, without absent fields. */
export function narrowingIn({ targets, excluded, kinds, platforms, domains }: Narrowing): Defined<Narrowing> {
  return {
    ...(targets && { targets }),
    ...(excluded && { excluded }),
    ...(kinds && { kinds }),
    ...(platforms && { platforms }),
    ...(domains && { domains }),
  };
}

type Defined<Parts> = { readonly [Name in keyof Parts]: Exclude<Parts[Name], undefined> };

/** Returns the flag that makes a selection partial, or `undefined` if the selection is the full catalog or a shard. */
export function partialFlagOf(selection: RequestedSelection): PartFlag | undefined {
  return partFlags.find((flag) => selection[fieldOfFlag[flag]] !== undefined);
}

/** Throws `ScopeError` if a requested rule is not declared in any manifest. */
export function refuseUnknownRules({ rules = [] }: Selection, declared: readonly Rule[]): void {
  const known = declared.map(({ id }) => id);
  const unknown = rules.find((rule) => !known.includes(rule));
  if (unknown !== undefined) throw new ScopeError({ code: "unknown-rule", rule: unknown, known });
}

/**
 * Returns the declarations at the merge base with `changedSince`. If they are unknown, throws `ScopeError`, or returns `undefined`
 * if all entities are planned (`plansAll`), because only the policies are then compared.
 */
export async function declaredAtFork(
  { repository, selection: { changedSince: ref } }: ScopeRequest,
  declared: Desired,
  base: KnownBase | undefined,
  plansAll: boolean,
): Promise<DeclaredEarlier | undefined> {
  if (ref === undefined) return undefined;
  const now = currentManifests(repository, declared);
  try {
    const commit = await forkOf(now.root, ref);
    return commit === base?.anchor ? base.declared : await declaredAt(commit, now);
  } catch (error) {
    const fault = faultOf(error);
    if (plansAll) return undefined;
    throw new ScopeError({ code: "unknown-changes", problem: changesProblem(ref, fault) });
  }
}
