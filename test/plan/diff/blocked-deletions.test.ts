import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { blockedDeletions } from "../../../src/plan/align/prune.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const tag = urn("urn:li:tag:t");
const about = { shape: "entity", kind: "Tag", fingerprint: "" } as const;
const deletion: Change = { ...about, action: "delete", urn: tag };
const creation: Change = { ...about, action: "create", urn: urn("urn:li:tag:new") };
const dataset = datasetNamed("a");
const unread: Problem = {
  code: "read-failed",
  severity: "error",
  args: { urn: dataset, error: "timed out" },
};
const missing: Problem = {
  code: "asset-missing",
  severity: "error",
  args: { kind: "Dataset", urn: dataset },
};
const held = [{ code: "deletion-held", severity: "warning", args: { urns: [tag] } }];

test.each([
  ["where something could not be read", [creation, deletion], [missing, unread], held],
  ["not where all was read", [deletion], [missing], []],
  ["not where nothing is deleted", [creation], [unread], []],
])("deletions are held back, each named: %s", (_, changes, problems, expected) => {
  expect(blockedDeletions({ changes, problems })).toEqual(expected);
});

test.each([
  ["where something was not read of which no problem speaks", [creation, deletion], held],
  ["not where nothing is deleted", [creation], []],
])("deletions are held back, each named: %s", (_, changes, expected) => {
  expect(blockedDeletions({ changes, problems: [] }, true)).toEqual(expected);
});
