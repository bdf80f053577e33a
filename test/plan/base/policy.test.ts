import { expect, test } from "vitest";
import { nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { defaultPolicy, type Policy, withoutPrune } from "../../../src/plan/base/policy.ts";

test("where nothing is set, manifests are authoritative, nothing is left out, and no limit of a guard is changed", () => {
  expect(defaultPolicy).toStrictEqual({
    modes: {},
    ignored: nothingIgnored,
    missing: "error",
    limits: {},
  });
});

test("without deletions a policy is the same otherwise", () => {
  const policy: Policy = { ...defaultPolicy, onConflict: "desired", missing: "skip", classifyDrift: true };
  expect(withoutPrune({ ...policy, prune: new Set(["Tag"]), pruneAssignments: true })).toStrictEqual(policy);
});
