import { expect, test } from "vitest";
import type { Change, FacetChange } from "../../../src/model/change.ts";
import type { Request } from "../../../src/model/operation.ts";
import { workOn, workText } from "../../../src/report/document/outcomes.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const dataset = datasetNamed("orders");
const names = { "urn:li:tag:pii": "PII" };
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];

function tagged(add: readonly string[], remove: readonly string[] = []): FacetChange {
  const common = { action: "update", kind: "Dataset", urn: dataset, fingerprint: "" } as const;
  return { ...common, shape: "set", facet: "tags", add, remove };
}

function inDomain(before: string | null, after: string | null): FacetChange {
  const common = { action: "update", kind: "Dataset", urn: dataset, fingerprint: "" } as const;
  return { ...common, shape: "scalar", facet: "domain", before, after };
}

const newTag: Change = { action: "create", shape: "entity", kind: "Tag", urn: pii, fingerprint: "" };
const mutation = (field: string): Request => ({ type: "mutation", field, args: [] });
const proposal: Request = { type: "proposal", urn: dataset, aspect: "globalTags", initial: {}, set: {} };

test.each<readonly [Request, readonly Change[], string]>([
  [mutation("setDomain"), [inDomain(null, "urn:li:domain:a")], `set domain of ${dataset}`],
  [mutation("unsetDomain"), [inDomain("urn:li:domain:a", null)], `unset domain of ${dataset}`],
  [mutation("addTags"), [tagged([pii])], `add PII (${pii}) to tags of ${dataset}`],
  [mutation("removeTag"), [tagged([], [pii])], `remove PII (${pii}) from tags of ${dataset}`],
  [mutation("addTags"), [tagged([pii, old])], `add to tags of ${dataset}`],
  [mutation("removeTag"), [tagged([pii], [old])], `remove ${old} from tags of ${dataset}`],
  [mutation("addTags"), [tagged([pii], [old])], `add PII (${pii}) to tags of ${dataset}`],
  [proposal, [tagged([pii], [old])], `add PII (${pii}) to tags, remove ${old} from tags of ${dataset}`],
  [proposal, [newTag], `create ${dataset}`],
])("an operation is told by what it was to do: %#", (request, changes, text) => {
  const operation = { id: "1", request, changes, locks: [], after: [] };

  expect(workOn(operation, dataset, { names })).toBe(text);
});

test("where operations are told together, their values are left out", () => {
  const operation = { id: "1", request: proposal, changes: [tagged([pii])], locks: [], after: [] };

  expect(workText(operation, { isBare: true })).toBe("add to tags");
});
