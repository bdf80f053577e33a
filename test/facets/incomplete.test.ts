import { expect, test } from "vitest";
import { incomplete } from "../../src/facets/incomplete.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { scalarOf } from "../../src/model/state.ts";
import { scalarChange, sentFor } from "./changes.ts";

const group = "urn:li:corpGroup:fin";
const origin = { type: "NATIVE" };
const corpGroupInfo = { admins: [], members: [], groups: [] };

test("only groups are created in several writes, and can be left incomplete", () => {
  expect(incomplete.kinds).toEqual(["Group"]);
  expect(incomplete.aspects("Group")).toEqual(["origin", "corpGroupInfo"]);
});

test.each<readonly [string, JsonObject, boolean]>([
  ["the first aspect alone", { origin }, true],
  ["both aspects", { origin, corpGroupInfo }, false],
  ["another first aspect, which others wrote", { origin: { type: "EXTERNAL" } }, false],
  ["the later aspect alone", { corpGroupInfo }, false],
  ["no aspects, since none was read", {}, true],
])("a group with %s is incomplete: %s", (_, aspects, isIncomplete) => {
  expect(incomplete.observe(aspects, "Group")).toEqual({ value: scalarOf(isIncomplete) });
});

test("what is declared is complete, and is completed by the aspects after the first", () => {
  const about = { aspect: "corpGroupInfo", initial: corpGroupInfo, set: {} };

  expect([incomplete.parse(true), incomplete.implied?.value("fin"), incomplete.blank]).toEqual([
    { value: false, references: [] },
    false,
    false,
  ]);
  expect(sentFor(scalarChange("incomplete", false, { urn: group }))).toEqual([
    { request: { type: "proposal", urn: group, ...about } },
  ]);
});

test("a plan says what an incomplete definition is", () => {
  const called = (text: string): string => text;

  expect([true, false].map((value) => incomplete.format(value, called))).toEqual([
    "true (its creation was interrupted)",
    "false (completed)",
  ]);
});
