import { expect, test } from "vitest";
import { defaultSettings } from "../../../src/manifests/settings/settings.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { shardHeader } from "../../../src/workflow/scope/plan-header.ts";
import type { Scope } from "../../../src/workflow/scope/scope.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";
import { scalarOf } from "../../../src/model/state.ts";

/** A dataset with a title as all that manifests declare, on a commit or beside one. */
function scopeOf(title: string, isDirty: boolean, more: Partial<Scope> = {}): Scope {
  const state = stateOf(entityOf("Dataset", datasetNamed("a"), { title: scalarOf(title) }));
  return {
    repository: { cwd: "/", directory: "catalog", settings: defaultSettings },
    selection: { shard: { index: 2, of: 4 } },
    policy: defaultPolicy,
    desired: { state, references: [], rules: [], exempt: new Map() },
    git: { commit: "c", dirty: isDirty },
    ...more,
  } as unknown as Scope;
}

const inputsOf = (scope: Scope): string | undefined => shardHeader(scope)?.inputs;

test("a scope without a shard has none in the header of its plan", () => {
  expect(shardHeader(scopeOf("a", false, { selection: {} }))).toBeUndefined();
  expect(shardHeader(scopeOf("a", false))).toMatchObject({ index: 2, of: 4 });
});

test("shards of committed manifests have the same inputs, and of others only where these are the same", () => {
  expect(inputsOf(scopeOf("a", false))).toBe(inputsOf(scopeOf("b", false)));
  expect(inputsOf(scopeOf("a", true))).toBe(inputsOf(scopeOf("a", true)));
  expect(inputsOf(scopeOf("a", true))).not.toBe(inputsOf(scopeOf("b", true)));
  expect(inputsOf(scopeOf("a", true))).not.toBe(inputsOf(scopeOf("a", false)));
});

test("manifests without a commit are not committed", () => {
  const git = { commit: null, dirty: false, base: null };
  expect(inputsOf(scopeOf("a", false, { git }))).not.toBe(inputsOf(scopeOf("b", false, { git })));
});

const ofSettings = (settings: object): Partial<Scope> => {
  return { repository: { ...scopeOf("a", false).repository, settings: { ...defaultSettings, ...settings } } };
};
const ofPolicy = (policy: object): Partial<Scope> => ({ policy: { ...defaultPolicy, ...policy } });

test.each<readonly [string, Partial<Scope>]>([
  ["modes", ofPolicy({ modes: { tags: "merge" } })],
  ["what is missing", ofPolicy({ missing: "skip" })],
  ["conflicts", ofPolicy({ onConflict: "live" })],
  ["kinds that are deleted", ofPolicy({ prune: new Set(["Tag"]) })],
  ["values that are removed", ofPolicy({ pruneAssignments: true })],
  ["ignore rules", ofSettings({ ignore: [{ urn: "urn:li:tag:a", reason: "r" }] })],
  ["kinds that can be deleted", ofSettings({ prune: { ...defaultSettings.prune, kinds: [] } })],
  ["values that can be removed", ofSettings({ prune: { ...defaultSettings.prune, assignments: true } })],
])("shards planned with other %s have other inputs", (_, more) => {
  expect(inputsOf(scopeOf("a", false, more))).not.toBe(inputsOf(scopeOf("a", false)));
});

test("the order of kinds, and the place of an ignore rule, are no other inputs", () => {
  const kinds = (...names: readonly string[]): Scope =>
    scopeOf("a", false, ofPolicy({ prune: new Set(names) }));
  const at = (line: number): Scope =>
    scopeOf(
      "a",
      false,
      ofSettings({ ignore: [{ urn: "*", reason: "r", origin: { file: "f", line, column: 1 } }] }),
    );

  expect(inputsOf(kinds("Tag", "Domain"))).toBe(inputsOf(kinds("Domain", "Tag")));
  expect(inputsOf(at(1))).toBe(inputsOf(at(2)));
});
