import { expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import type { Entity } from "../../../src/model/state.ts";
import { liveProblems, unreadProblems } from "../../../src/plan/align/live-problems.ts";
import { datasetNamed, entityOf, liveOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const dataset: Entity = { ...entityOf("Dataset", a, {}), origin };
const tag: Entity = entityOf("Tag", urn("urn:li:tag:t"), {});

const live = (more: Partial<Live>): Live => ({ ...liveOf(new Map()), ...more });

// What is known of an entity, what that is called when it is declared, and when it is declared no more.
test.each<readonly [string, Entity, Partial<Live>, string | undefined, string | undefined]>([
  ["an asset that is there", dataset, {}, undefined, undefined],
  ["an asset that is not there", dataset, { missing: new Map([[a, "absent"]]) }, "asset-missing", undefined],
  [
    "an asset that is soft-deleted",
    dataset,
    { missing: new Map([[a, "soft-deleted"]]) },
    "asset-removed",
    undefined,
  ],
  [
    "an asset that could not be read",
    dataset,
    { unreadable: new Map([[a, "no"]]) },
    "read-failed",
    "read-failed",
  ],
  ["a definition that is not there", tag, { missing: new Map([[tag.urn, "absent"]]) }, undefined, undefined],
  [
    "a definition that could not be read",
    tag,
    { unreadable: new Map([[tag.urn, ""]]) },
    "read-failed",
    "read-failed",
  ],
])("%s is a problem as it must be", (_, entity, known, declared, vanished) => {
  const codes = [liveProblems, unreadProblems].map((find) =>
    find([entity], live(known)).map(({ code }) => code),
  );

  expect(codes).toEqual([declared, vanished].map((code) => (code === undefined ? [] : [code])));
});

test("a problem names the entity, what the server said, and the place, where there is one", () => {
  const known = live({ unreadable: new Map([a, tag.urn].map((of) => [of, "no right to see it"])) });
  const about = { code: "read-failed", severity: "error" };
  const error = "no right to see it";

  expect(liveProblems([dataset, tag], known)).toStrictEqual([
    { ...about, args: { kind: "Dataset", urn: a, error }, origin },
    { ...about, args: { kind: "Tag", urn: tag.urn, error } },
  ]);
});

test("what base declared stands in an earlier commit: there is no place to show", () => {
  const known = live({ unreadable: new Map([[a, "no"]]) });

  expect(unreadProblems([dataset], known)).toStrictEqual([
    { code: "read-failed", severity: "error", args: { kind: "Dataset", urn: a, error: "no" } },
  ]);
});
