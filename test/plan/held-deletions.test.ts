import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Problem } from "../../src/model/problem.ts";
import { heldDeletions } from "../../src/plan/diff/prune.ts";
import { datasetNamed, urn } from "../support/states.ts";

const tag = urn("urn:li:tag:t");
const deletion: Change = { action: "delete", kind: "Tag", urn: tag, fingerprint: "" };
const creation: Change = { action: "create", kind: "Tag", urn: urn("urn:li:tag:new"), fingerprint: "" };
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
  expect(heldDeletions({ changes, problems })).toEqual(expected);
});
