import { expect, test } from "vitest";
import { nothingIgnored } from "../../src/plan/adopt/ignore.ts";
import { limitsFrom } from "../../src/plan/checks/guards/index.ts";
import { defaultPolicy, type Policy, withoutPrune } from "../../src/plan/policy.ts";

test("where nothing is set, manifests are authoritative, nothing is left out, and guards have their limits", () => {
  expect(defaultPolicy).toStrictEqual({
    modes: {},
    ignored: nothingIgnored,
    missing: "error",
    limits: limitsFrom({}),
  });
});

test("without deletions a policy is the same otherwise", () => {
  const policy: Policy = { ...defaultPolicy, onConflict: "desired", missing: "skip", classifyDrift: true };
  expect(withoutPrune({ ...policy, prune: new Set(["Tag"]), pruneAssignments: true })).toStrictEqual(policy);
});
