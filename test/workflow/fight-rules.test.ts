import { expect, test } from "vitest";
import { fightRules } from "../../src/workflow/plan-scope.ts";

const hour = 3_600_000;
const at = "1970-01-11T00:00:00.000Z";
const now = 240 * hour;

test.each([
  [{}, 3, 24],
  [{ fights: { times: 2 } }, 2, 24],
  [{ fights: { within: "3h" } }, 3, 3],
] as const)("with the settings %j fights end after %i times within %i hours", (settings, times, hours) => {
  expect(fightRules(settings, at)).toEqual({
    times,
    within: hours * hour,
    now,
    since: now - 4 * hours * hour,
  });
});
