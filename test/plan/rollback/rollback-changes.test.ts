import { describe, expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import type { Existence } from "../../../src/model/reference.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type RollbackChanges, rollbackChanges } from "../../../src/plan/rollback/rollback-changes.ts";
import { datasetNamed, entityOf, knowing, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const pii = urn("urn:li:tag:pii");
const gold = urn("urn:li:tag:gold");
const finance = urn("urn:li:domain:finance");
const origin = { file: "1a2b3c4", line: 1, column: 1 };

type Facets = Readonly<Record<string, FacetValue>>;

const dataset = (facets: Facets): Entity => entityOf("Dataset", a, facets);
const tag = (facets: Facets): Entity => entityOf("Tag", pii, facets);
const ofColumns = (...entries: readonly (readonly [string, FacetValue])[]): FacetValue => ({
  shape: "map",
  entries: new Map(entries),
});

interface Given {
  readonly before: State;
  readonly deleted?: readonly Urn[];
  readonly live?: State;
  readonly missing?: readonly Urn[];
  readonly existence?: Readonly<Record<Urn, Existence["status"]>>;
}

function fit({ before, deleted = [], live = before, missing = [], existence = {} }: Given): RollbackChanges {
  const found: Live = { ...liveOf(live), missing: new Map(missing.map((each) => [each, "absent"])) };
  const known = Object.entries(existence) as [Urn, Existence["status"]][];
  const states = { before, left: stateOf(), created: stateOf(), deleted: new Set(deleted), several: [] };
  return rollbackChanges(states, {
    live: found,
    edges: knowing({}),
    existence: new Map(known.map(([of, status]) => [of, { status } as Existence])),
  });
}

const held = (args: object): object => ({ code: "rollback-held", severity: "warning", args });

describe("what a run deleted", () => {
  const before = stateOf(tag({ description: scalarOf("Personal."), owners: setOf(["x", "y"]) }));
  const madeAgain = held({ urn: pii, kind: "Tag", because: "made-again" });
  const again = (facets: Facets): RollbackChanges =>
    fit({ before, deleted: [pii], live: stateOf(tag(facets)) });

  test("is made again", () => {
    expect(fit({ before, deleted: [pii], live: stateOf(), missing: [pii] })).toEqual({ before, held: [] });
  });

  test("needs nothing where others made it again as it was, or with more", () => {
    const more = { description: scalarOf("Personal."), owners: setOf(["x", "y", "z"]) };

    expect(again(more)).toEqual({ before: stateOf(), held: [] });
  });

  test.each<readonly [string, Facets]>([
    ["another text", { description: scalarOf("Other."), owners: setOf(["x", "y"]) }],
    ["no text", { owners: setOf(["x", "y"]) }],
    ["a set in the place of the text", { description: setOf([]), owners: setOf(["x", "y"]) }],
    ["fewer owners", { description: scalarOf("Personal."), owners: setOf(["x"]) }],
    ["a text in the place of the owners", { description: scalarOf("Personal."), owners: scalarOf("x") }],
    ["no owners", { description: scalarOf("Personal.") }],
  ])("is held back where others made it again with %s", (_, facets) => {
    expect(again(facets)).toEqual({ before: stateOf(), held: [madeAgain] });
  });
});

describe("what a run changed", () => {
  const before = stateOf(dataset({ description: scalarOf("old", origin) }));

  test("is put back where it is still there", () => {
    const live = stateOf(dataset({ description: scalarOf("new") }));

    expect(fit({ before, live })).toEqual({ before, held: [] });
  });

  test("is held back where the entity is gone", () => {
    expect(fit({ before, live: stateOf(), missing: [a] })).toEqual({
      before: stateOf(),
      held: [held({ urn: a, kind: "Dataset", because: "gone" })],
    });
  });

  test("is judged later where the entity could not be read", () => {
    expect(fit({ before, live: stateOf() })).toEqual({ before, held: [] });
  });

  test("is held back where a column is gone, and put back at the others", () => {
    const [id, email] = [scalarOf("Id"), scalarOf("Email")];
    const columns = stateOf(dataset({ "columns.description": ofColumns(["id", id], ["email", email]) }));
    const live = stateOf(dataset({ "columns.description": ofColumns(["id", scalarOf(null)]) }));

    expect(fit({ before: columns, live })).toEqual({
      before: stateOf(dataset({ "columns.description": ofColumns(["id", id]) })),
      held: [
        held({
          urn: a,
          kind: "Dataset",
          because: "column-gone",
          facet: "columns.description",
          column: "email",
        }),
      ],
    });
  });

  test("is put back at columns that were not read", () => {
    const columns = stateOf(dataset({ "columns.description": ofColumns(["id", scalarOf("Id")]) }));

    expect(fit({ before: columns, live: stateOf(dataset({})) })).toEqual({ before: columns, held: [] });
  });

  test("is put back at keys that may be unset, such as structured properties", () => {
    const retention = urn("urn:li:structuredProperty:retention");
    const properties = stateOf(dataset({ structured_properties: ofColumns([retention, scalarOf(30)]) }));
    const live = stateOf(dataset({ structured_properties: ofColumns() }));

    expect(fit({ before: properties, live })).toEqual({ before: properties, held: [] });
  });
});

describe("a definition that is soft-deleted", () => {
  const live = stateOf(tag({ description: scalarOf("new"), removed: scalarOf(true), name: scalarOf("pii") }));

  test("stays so where the run did not change that", () => {
    const { before } = fit({ before: stateOf(tag({ description: scalarOf("old") })), live });

    expect(before).toEqual(stateOf(tag({ description: scalarOf("old"), removed: scalarOf(true) })));
  });

  test("is restored where the run soft-deleted it", () => {
    const { before } = fit({ before: stateOf(tag({ removed: scalarOf(false) })), live });

    expect(before).toEqual(stateOf(tag({ removed: scalarOf(false) })));
  });
});

describe("a value that refers to", () => {
  const gone = (facet: string, reference: Urn): object =>
    held({ urn: a, kind: "Dataset", because: "reference-gone", facet, reference });

  test.each<readonly [string, Partial<Given>, boolean]>([
    ["what is there", { existence: { [finance]: "present" } }, true],
    ["what nobody asked for", {}, true],
    ["what could not be read", { existence: { [finance]: "unreadable" } }, true],
    ["what is not there", { existence: { [finance]: "absent" } }, false],
    ["what is soft-deleted", { existence: { [finance]: "soft-deleted" } }, false],
    ["what was looked for in vain", { missing: [finance] }, false],
    [
      "what was looked for in vain, whatever is known else",
      { missing: [finance], existence: { [finance]: "present" } },
      false,
    ],
    [
      "what was read",
      { live: stateOf(dataset({}), entityOf("Domain", finance, {})), existence: { [finance]: "absent" } },
      true,
    ],
    [
      "what was read as soft-deleted",
      { live: stateOf(dataset({}), entityOf("Domain", finance, { removed: scalarOf(true) })) },
      false,
    ],
    [
      "what it has already",
      { live: stateOf(dataset({ domain: scalarOf(finance) })), missing: [finance] },
      true,
    ],
  ])("%s is put back only where that can be", (_, given, isPutBack) => {
    const before = stateOf(dataset({ domain: scalarOf(finance, origin) }));

    expect(fit({ before, live: stateOf(dataset({})), ...given })).toEqual(
      isPutBack ? { before, held: [] } : { before: stateOf(dataset({})), held: [gone("domain", finance)] },
    );
  });

  test("what the rollback makes again is put back", () => {
    const before = stateOf(dataset({ domain: scalarOf(finance) }), entityOf("Domain", finance, {}));

    expect(fit({ before, deleted: [finance], live: stateOf(dataset({})), missing: [finance] })).toEqual({
      before,
      held: [],
    });
  });

  test("what the run deleted and others made again with other values, and deleted softly, is held back", () => {
    const before = stateOf(dataset({ tags: setOf([pii]) }), tag({ description: scalarOf("old") }));
    const live = stateOf(dataset({}), tag({ removed: scalarOf(true) }));

    expect(fit({ before, deleted: [pii], live })).toEqual({
      before: stateOf(dataset({ tags: setOf([]) })),
      held: [held({ urn: pii, kind: "Tag", because: "made-again" }), gone("tags", pii)],
    });
  });

  test("what is in the state of before, but gone, is held back", () => {
    const before = stateOf(dataset({ tags: setOf([pii]) }), tag({ description: scalarOf("old") }));

    expect(fit({ before, live: stateOf(dataset({})), missing: [pii] }).held).toEqual([
      held({ urn: pii, kind: "Tag", because: "gone" }),
      gone("tags", pii),
    ]);
  });

  test("several entities is put back with those that are there, or are in it already", () => {
    const silver = urn("urn:li:tag:silver");
    const tags = setOf([gold, pii, silver], origin);
    const live = stateOf(dataset({ tags: setOf([silver]) }));

    expect(fit({ before: stateOf(dataset({ tags })), live, missing: [pii, silver] })).toEqual({
      before: stateOf(dataset({ tags: setOf([gold, silver], origin) })),
      held: [gone("tags", pii)],
    });
  });

  test("an owner and a type of ownership is held back where one of them is gone, which the warning names", () => {
    const bob = urn("urn:li:corpuser:bob");
    const type = urn("urn:li:ownershipType:steward");
    const before = stateOf(dataset({ owners: setOf([{ owner: bob, type }]) }));

    expect(fit({ before, live: stateOf(dataset({})), missing: [type] })).toEqual({
      before: stateOf(dataset({ owners: setOf([]) })),
      held: [gone("owners", type)],
    });
  });
});
