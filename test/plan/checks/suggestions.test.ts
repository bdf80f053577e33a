import { expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { absentIn, entitiesByName, withSuggestion } from "../../../src/plan/checks/suggestions.ts";
import { argOf } from "../../support/problem-args.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const declared = datasetNamed("db.orders");
const asset = (of: Urn, kind = "Dataset"): Problem => ({
  code: "asset-missing",
  severity: "error",
  args: { kind, urn: of },
});
const reference = (text: string): Problem => ({
  code: "reference-missing",
  severity: "error",
  args: { urn: text, what: "Tag", suggestion: "tiers" },
});
const inDev = (name: string): Urn => urn(`urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},DEV)`);
const onPlatform = (platform: string): Urn =>
  urn(`urn:li:dataset:(urn:li:dataPlatform:${platform},db.orders,PROD)`);

test.each<readonly [string, readonly Urn[], Urn | undefined]>([
  ["one in another case", [datasetNamed("db.items"), datasetNamed("DB.Orders")], datasetNamed("DB.Orders")],
  ["the nearest one", [datasetNamed("db.border"), datasetNamed("db.order")], datasetNamed("db.order")],
  [
    "the one of the same environment",
    [inDev("db.order"), datasetNamed("db.order")],
    datasetNamed("db.order"),
  ],
  ["one of another environment", [inDev("db.orders")], inDev("db.orders")],
  ["one of another platform", [onPlatform("snoflake")], onPlatform("snoflake")],
  ["the one of the nearest platform", [onPlatform("dbt"), onPlatform("snoflake")], onPlatform("snoflake")],
  [
    "one of the same platform before one of another",
    [onPlatform("dbt"), inDev("db.orders")],
    inDev("db.orders"),
  ],
  ["nothing where all are far away", [datasetNamed("db.customers")], undefined],
  ["not itself, which only the index still has", [declared], undefined],
  ["nothing where nothing was found", [], undefined],
])("of what was found it suggests %s", (_, found, suggestion) => {
  const substitutes = { similarNames: new Map([[declared, found]]), named: new Map() };
  const problems = [withSuggestion(asset(declared), substitutes)];
  expect(problems.map((problem) => argOf(problem, "suggestion"))).toEqual([suggestion]);
});

test("what has the written name wins over what is only spelled alike, and is left alone by all else", () => {
  const problems = [
    reference("urn:li:tag:Tier"),
    reference("urn:li:tag:other"),
    { code: "reference-removed", severity: "error", args: { urn: "urn:li:tag:Tier", what: "Tag" } } as const,
  ];
  const named = entitiesByName([[urn("urn:li:tag:t-1"), "tier"]]);
  const found = problems.map((each) => withSuggestion(each, { similarNames: new Map(), named }));
  expect(found.map((problem) => argOf(problem, "suggestion"))).toEqual(["t-1", "tiers", undefined]);
  expect(found.map((problem) => argOf(problem, "named"))).toEqual([["t-1"], undefined, undefined]);
});

test("where several have the written name, none is suggested, not even what is spelled alike", () => {
  const absent = urn("urn:li:tag:Tier");
  const problem: Problem = {
    code: "reference-missing",
    severity: "error",
    args: { urn: absent, what: "Tag" },
  };
  const named = entitiesByName(["t-1", "t-2"].map((id) => [urn(`urn:li:tag:${id}`), "tier"]));
  const substitutes = { similarNames: new Map([[absent, [urn("urn:li:tag:Tiers")]]]), named };

  const args = { urn: absent, what: "Tag", named: ["t-1", "t-2"] };
  expect(withSuggestion(problem, substitutes)).toEqual({ ...problem, args });
});

test("only what can have names that people write is looked for", () => {
  const container = urn("urn:li:container:0a1b2c");
  const problems = [
    asset(container, "Container"),
    asset(declared),
    reference("urn:li:ownershipType:x"),
    reference("urn:li:ownershipType:__system__none"),
    reference("urn:li:tag:x"),
    { code: "asset-removed", severity: "error", args: { kind: "Dataset", urn: declared } } as const,
  ];
  expect(absentIn(problems)).toEqual({
    assets: [declared],
    references: ["urn:li:ownershipType:x", "urn:li:tag:x"],
    unlike: [],
  });
});

test("an id of the catalog is suggested where it is near, and neither an id of the manifests nor a name is", () => {
  const args = { urn: "urn:li:tag:teir", what: "Tag" };
  const absent: Problem = { code: "reference-missing", severity: "error", args };
  const [teir, tier, other] = [urn("urn:li:tag:teir"), urn("urn:li:tag:tier"), urn("urn:li:tag:other")];
  const suggested = (problem: Problem, found: readonly Urn[], named: ReadonlyMap<Urn, string>): unknown => {
    const substitutes = { similarNames: new Map([[teir, found]]), named: entitiesByName(named) };
    return argOf(withSuggestion(problem, substitutes), "suggestion");
  };

  expect(absentIn([absent]).unlike).toEqual([teir]);
  expect(suggested(absent, [other, teir, tier], new Map())).toEqual("tier");
  expect(suggested(absent, [other, teir], new Map())).toEqual(undefined);
  expect(suggested(absent, [tier], new Map([[other, "Teir"]]))).toEqual("other");
  expect(suggested(reference("urn:li:tag:teir"), [tier], new Map())).toEqual("tiers");
});

test("of what was removed nothing is looked for, and of much that is absent only a part", () => {
  const absent = Array.from({ length: 30 }, (_, index) => index);
  const removed = { urn: "urn:li:tag:gone", what: "Tag" };
  const problems: readonly Problem[] = [
    { code: "reference-removed", severity: "error", args: removed },
    ...absent.map((id) => asset(datasetNamed(`${id}`))),
    ...absent.map((id) => reference(`urn:li:tag:${id}`)),
  ];
  const { assets, references } = absentIn(problems);

  expect(assets).toEqual(absent.slice(0, 20).map((id) => datasetNamed(`${id}`)));
  expect(references).toEqual(absent.slice(0, 20).map((id) => `urn:li:tag:${id}`));
});

test("what has no name of its own is replaced by nothing, and other problems stay as they are", () => {
  const container = urn("urn:li:container:0a1b2c");
  const problems = [
    asset(container, "Container"),
    { code: "read-failed", severity: "error", args: { urn: declared, error: "denied" } } as const,
  ];
  const similarNames = new Map([
    [container, [urn("urn:li:container:0a1b2d")]],
    [declared, [datasetNamed("db.order")]],
  ]);

  expect(problems.map((each) => withSuggestion(each, { similarNames, named: new Map() }))).toEqual(problems);
});
