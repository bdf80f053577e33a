import { expect, test } from "vitest";
import type { Settings } from "../../../src/manifests/settings/settings-content.ts";
import { defaultSettings } from "../../../src/manifests/settings/settings.ts";
import { policyOf, type PolicyOverrides } from "../../../src/workflow/scope/policy.ts";

const prune = true;
const [users, none] = [new Set(["User"]), new Set<string>()];

test.each<readonly [string, Partial<Settings>, PolicyOverrides, object]>([
  ["nothing is deleted without the flag", {}, {}, { prune: undefined, pruneAssignments: undefined }],
  [
    "the flag deletes the kinds of the settings",
    { prune: { kinds: users, assignments: false } },
    { prune },
    { prune: users, pruneAssignments: undefined },
  ],
  [
    "the flag removes values where the settings say so",
    { prune: { kinds: none, assignments: true } },
    { prune },
    { prune: none, pruneAssignments: true },
  ],
  [
    "the settings remove nothing without the flag",
    { prune: { kinds: users, assignments: true } },
    {},
    { prune: undefined, pruneAssignments: undefined },
  ],
  ["conflicts are open", {}, {}, { onConflict: undefined }],
  ["conflicts are open by the settings", { conflicts: "hold" }, {}, { onConflict: undefined }],
  ["the live value wins by the settings", { conflicts: "skip" }, {}, { onConflict: "live" }],
  [
    "a flag goes before the settings",
    { conflicts: "skip" },
    { onConflict: "desired" },
    { onConflict: "desired" },
  ],
  ["what is missing is an error", {}, {}, { missing: "error" }],
  ["what is missing is skipped by the settings", { missing: "skip" }, {}, { missing: "skip" }],
  [
    "a flag says what becomes of what is missing",
    { missing: "skip" },
    { missing: "error" },
    { missing: "error" },
  ],
])("%s", (_, settings, overrides, expected) => {
  const unset = { prune: undefined, pruneAssignments: undefined, onConflict: undefined };

  expect({ ...unset, ...policyOf({ ...defaultSettings, ...settings }, overrides) }).toMatchObject(expected);
});

test("by default domains, tags and groups are deleted, and no users", () => {
  const { prune: kinds = [] } = policyOf(defaultSettings, { prune });

  expect([...kinds]).toEqual(expect.arrayContaining(["Domain", "Tag", "Group"]));
  expect([...kinds]).not.toContain("User");
});
