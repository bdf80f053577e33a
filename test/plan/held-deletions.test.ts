import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { heldDeletions } from "../../src/plan/diff/prune.ts";
import { datasetNamed, urn } from "../support/states.ts";

const tag = urn("urn:li:tag:t");
const deletion: Change = { action: "delete", kind: "Tag", urn: tag, fingerprint: "" };
const creation: Change = { action: "create", kind: "Tag", urn: urn("urn:li:tag:new"), fingerprint: "" };
const unread = { code: "read-failed", severity: "error", args: { urn: datasetNamed("a") } } as const;
const missing = { ...unread, code: "asset-missing" };
const held = [{ code: "deletion-held", severity: "warning", args: { urns: [tag] } }];

test.each([
  ["where something could not be read", [creation, deletion], [missing, unread], held],
  ["not where all was read", [deletion], [missing], []],
  ["not where nothing is deleted", [creation], [unread], []],
])("deletions are held back, each named: %s", (_, changes, problems, expected) => {
  expect(heldDeletions({ changes, problems })).toEqual(expected);
});
