import { expect, test } from "vitest";
import type { Opponent, SetChange } from "../../src/model/change.ts";
import { fightFindings } from "../../src/plan/notes/fights.ts";
import { formats } from "../../src/report/format.ts";
import { driftIssueText } from "../../src/report/github/drift-issue.ts";
import { reviewMarkdown } from "../../src/report/github/review.ts";
import { datasetNamed } from "../support/states.ts";
import { planOf } from "./plans.ts";
import { printed } from "./print.ts";

/** A plan in which an opponent sets the tags of some datasets back. */
function fought(opponent: Opponent, ...names: readonly string[]) {
  const changes = names.map((name): SetChange => ({
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: datasetNamed(name),
    facet: "tags",
    add: ["urn:li:tag:pii"],
    remove: [],
    fingerprint: "",
    class: "changed",
    fights: [{ ...opponent, value: "urn:li:tag:pii", times: 3, last: "", until: "2026-12-01T03:00:00.000Z" }],
  }));
  return planOf({ changes, findings: fightFindings(changes), summary: { heldBack: names.length } });
}

const pipeline = { actor: "urn:li:corpuser:bot", pipeline: "nightly", ingestionRun: "dbt-1" };

test.each<readonly [Opponent, readonly string[], string]>([
  [{}, ["a"], "1 value (tags of a), written 3 times and reverted each time by someone."],
  [
    pipeline,
    ["a", "b"],
    "2 values (tags of a, b), written 3 times and reverted each time by urn:li:corpuser:bot (pipeline nightly, ingestion run dbt-1).",
  ],
  [
    { actor: "urn:li:corpuser:ann", agent: "urn:li:dataHubAction:pii" },
    ["a"],
    "1 value (tags of a), written 3 times and reverted each time by urn:li:corpuser:ann (urn:li:dataHubAction:pii).",
  ],
])("what %j sets back is held back by name", (opponent, names, held) => {
  expect(printed({ plan: fought(opponent, ...names) }, "text")).toContain(`Held back for now: ${held}`);
});

test.each<readonly [true | undefined, string]>([
  [undefined, "change the manifest, add an ignore rule with a reason to the settings, or change what"],
  [true, "set mode `merge`, add an ignore rule with a reason to the settings, or change what"],
])("mode `merge` is named only where it ends the fight (%s)", (keptByMerge, way) => {
  const [change] = fought({}, "a").changes;
  if (change?.shape !== "set") throw new Error("no change of a set");
  const fights = (change.fights ?? []).map((fight) => ({ ...fight, ...(keptByMerge && { keptByMerge }) }));
  const plan = planOf({ changes: [change], findings: fightFindings([{ ...change, fights }]) });
  expect(printed({ plan }, "text")).toContain(way);
});

test.each(formats)("a plan and drift as %s say what is held back", (format) => {
  const plan = fought(pipeline, "a");

  for (const result of [{ plan }, { drift: plan }])
    expect(printed(result, format)).toContain(format === "json" ? '"fights":' : "1 value (tags of a)");
});

test("a comment on a pull request says that all changes are held back, and which", () => {
  expect(reviewMarkdown([{ plan: fought(pipeline, "a") }], {})).toMatch(
    /All changes are held back\.[^]*1 value \(tags of a\)/,
  );
});

test("an issue about drift says that what others set back is not written", () => {
  const text = driftIssueText(fought(pipeline, "a"), {})?.text;

  expect(text).toContain("It does not write values that someone keeps reverting: see below.");
  expect(text).toContain("1 value (tags of a)");
});
