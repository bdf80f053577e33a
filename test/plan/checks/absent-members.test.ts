import { expect, test } from "vitest";
import type { DeclaredReference, Existence } from "../../../src/model/reference.ts";
import { type KnownEdges, noMemberships } from "../../../src/model/membership.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { absentMembers } from "../../../src/plan/checks/references.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const product = urn("urn:li:dataProduct:sales");

function naming(of: Urn, line: number, entityType = "dataset"): DeclaredReference {
  const origin = { file: "catalog/sales.yaml", line, column: 3 };
  return { urn: of, entityType, from: product, facet: "assets", origin };
}

interface Given {
  readonly absent?: readonly Urn[];
  readonly declared?: readonly Urn[];
  readonly existence?: ReadonlyMap<Urn, Existence>;
}

function found(
  references: readonly DeclaredReference[],
  { absent = [a, b], declared = [], existence = new Map() }: Given = {},
): ReturnType<typeof absentMembers> {
  const edges: KnownEdges = new Map([
    ["assets", { ...noMemberships, absent: new Set(absent) }],
    ["members", noMemberships],
  ]);
  const state = stateOf(...declared.map((each) => entityOf("Dataset", each, {})));
  return absentMembers({ state, references }, { live: liveOf(new Map()), edges, existence });
}

test("an asset that only groups name and that is not there is a problem where it is first named", () => {
  const removed = new Map<Urn, Existence>([
    [a, { status: "absent" }],
    [b, { status: "soft-deleted" }],
  ]);
  const problem = { severity: "error", args: { kind: "Dataset" } };

  expect(found([naming(b, 2), naming(a, 4), naming(b, 6)], { existence: removed })).toEqual([
    { ...problem, code: "asset-removed", args: { kind: "Dataset", urn: b }, origin: naming(b, 2).origin },
    { ...problem, code: "asset-missing", args: { kind: "Dataset", urn: a }, origin: naming(a, 4).origin },
  ]);
});

test.each<readonly [string, readonly DeclaredReference[], Given]>([
  ["that is there", [naming(a, 2)], { absent: [b] }],
  ["where all are there", [naming(a, 2)], { absent: [] }],
  ["that has a manifest, and its own problem", [naming(a, 2)], { declared: [a] }],
  ["of a kind that has no manifests", [naming(a, 2, "dataPlatform")], {}],
  ["that nothing names", [], {}],
])("nothing is said of an asset %s", (_, references, given) => {
  expect(found(references, given)).toEqual([]);
});

test("references are not made where no asset is absent, as rules have one for each asset", () => {
  const never = {
    [Symbol.iterator]: (): never => {
      throw new Error("they are made");
    },
  };

  const nothing = { live: liveOf(new Map()), edges: new Map(), existence: new Map() };
  expect(absentMembers({ state: new Map(), references: never }, nothing)).toEqual([]);
});
