import { expect, test } from "vitest";
import type { SetChange } from "../../../src/model/change.ts";
import type { Request } from "../../../src/model/operation.ts";
import { sidesWrittenBy } from "../../../src/plan/order/ends-written.ts";
import { datasetNamed } from "../../support/states.ts";

const urn = datasetNamed("a");
const mutation = (field: string): Request => ({ type: "mutation", field, args: [] });
const proposal: Request = { type: "proposal", urn, aspect: "globalTags", initial: {}, set: {} };

const change = (add: readonly string[], remove: readonly string[]): SetChange => ({
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn,
  facet: "tags",
  add,
  remove,
  fingerprint: "",
});

const [adding, removing, both] = [change(["a"], []), change([], ["b"]), change(["a"], ["b"])];

test.each<readonly [string, Request, SetChange, ReturnType<typeof sidesWrittenBy>]>([
  ["a proposal writes both sides", proposal, both, ["add", "remove"]],
  ["a proposal writes what is added where nothing is removed", proposal, adding, ["add"]],
  ["a proposal writes what is removed where nothing is added", proposal, removing, ["remove"]],
  ["a mutation that adds writes only what is added", mutation("addTags"), both, ["add"]],
  ["a mutation that removes writes only what is removed", mutation("batchRemoveTags"), both, ["remove"]],
  ["a mutation writes the only side that there is, whatever its name", mutation("removeX"), adding, ["add"]],
  ["a mutation writes the only other side", mutation("updateX"), removing, ["remove"]],
])("of a change of a set, %s", (_, request, of, sides) => {
  expect(sidesWrittenBy(request, of)).toEqual(sides);
});
