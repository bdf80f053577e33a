import { expect, test } from "vitest";
import type { Mode, Modes } from "../../../src/model/settings.ts";
import { modeOf } from "../../../src/plan/base/modes.ts";

// What the manifest says, what the settings say, the mode of `tags`.
test.each<readonly [Modes | undefined, Modes, Mode]>([
  [undefined, {}, "authoritative"],
  [undefined, { owners: "merge" }, "authoritative"],
  [undefined, { tags: "merge" }, "merge"],
  [{ owners: "additive" }, { tags: "merge" }, "merge"],
  [{ tags: "additive" }, { tags: "merge" }, "additive"],
  [{ tags: "authoritative" }, { tags: "merge" }, "authoritative"],
  [{ tags: "additive" }, {}, "additive"],
])("a manifest with %j under settings with %j manages tags as %s", (manage, modes, expected) => {
  expect(modeOf({ ...(manage && { manage }) }, "tags", modes)).toBe(expected);
});

test("what nobody can declare is ours, whatever is written", () => {
  expect(modeOf({ manage: { removed: "additive" } }, "removed", { removed: "merge" })).toBe("authoritative");
});

// What the user's manifest says, what the settings say, the mode of the memberships that the user lists.
test.each<readonly [Modes | undefined, Modes, Mode]>([
  [undefined, {}, "authoritative"],
  [{}, { members: "merge" }, "merge"],
  [{}, { groups: "additive", members: "merge" }, "additive"],
  [{ groups: "authoritative" }, { groups: "additive", members: "merge" }, "authoritative"],
  [{ members: "merge" }, {}, "authoritative"],
])("a user with %j under settings with %j manages its groups as %s", (manage, modes, expected) => {
  expect(modeOf({ ...(manage && { manage }) }, "groups", modes)).toBe(expected);
});

test("the groups of a user that has no manifest are as the settings say", () => {
  expect(modeOf({}, "groups", { groups: "merge" })).toBe("merge");
  expect(modeOf({}, "groups", {})).toBe("authoritative");
});
