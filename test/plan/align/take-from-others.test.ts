import { describe, expect, test } from "vitest";
import { type EdgeSet, edgeSetOf } from "../../../src/facets/index.ts";
import { noMemberships } from "../../../src/model/membership.ts";
import type { Origin } from "../../../src/model/origin.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { type Contribution, type Entity, setOf, type SetValue } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Ignored, ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { removeFromOtherGroups } from "../../../src/plan/align/exclusive-edges.ts";
import type { EdgesOfGroup } from "../../../src/plan/align/membership-edges.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c] = ["a", "b", "c"].map(datasetNamed) as [Urn, Urn, Urn];
const [core, mart, old] = ["core", "mart", "old"].map((id) => urn(`urn:li:dataProduct:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const edges = edgeSetOf("assets") as EdgeSet;
const line = (number: number): Origin => ({ file: "a.yaml", line: number, column: 1 });
const [coreAt, martAt] = [line(1), line(10)];

const product = (of: Urn, assets: SetValue): Entity => entityOf("DataProduct", of, { assets });

/** A data product with these assets in the catalog, which shall have others. */
function side(live: readonly Urn[], desired: SetValue, more: Partial<EdgesOfGroup> = {}): EdgesOfGroup {
  return { live: setOf(live), desired, listed: true, self: new Set(), kept: [], ...more };
}

interface Case {
  readonly desired?: readonly Entity[];
  readonly lists?: ReadonlyMap<Urn, SetValue>;
  readonly productsOf?: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  readonly sides: ReadonlyMap<Urn, EdgesOfGroup>;
  readonly ignored?: Ignored;
  readonly unreadable?: ReadonlyMap<Urn, string>;
}

function taken({
  desired = [],
  lists = new Map(),
  productsOf = new Map(),
  sides,
  ignored = nothingIgnored,
  unreadable = new Map(),
}: Case): {
  readonly sides: ReadonlyMap<Urn, EdgesOfGroup>;
  readonly problems: readonly Problem[];
} {
  const after = new Map(sides);
  const known = { ...noMemberships, groupsOf: productsOf, unreadable };
  const problems = removeFromOtherGroups(
    { edges, desired: stateOf(...desired), lists },
    known,
    after,
    ignored,
  );
  return { sides: after, problems };
}

describe("an asset that joins a data product", () => {
  const joins = side([], setOf([a], coreAt));
  const joinsByItself: Contribution = { origin: coreAt, values: [], end: a };
  const isIn = (...products: readonly Urn[]): ReadonlyMap<Urn, ReadonlySet<Urn>> =>
    new Map([[a, new Set(products)]]);

  test("leaves the ones that it is in, at the place that lets it join", () => {
    const sides = new Map([[core, joins]]);
    const left: EdgesOfGroup = {
      live: setOf([a]),
      desired: {
        ...setOf([], coreAt),
        leaving: new Map([[a, core]]),
        by: [{ origin: coreAt, values: [] }, joinsByItself],
      },
      listed: false,
      self: new Set([a]),
      kept: [],
    };

    expect(taken({ productsOf: isIn(old, core, mart), sides })).toStrictEqual({
      sides: new Map([
        [core, joins],
        [old, left],
        [mart, left],
      ]),
      problems: [],
    });
  });

  test("leaves another that is managed with all else that is known of that", () => {
    const value = (of: Urn) =>
      ({ urn: old, kind: "DataProduct", facet: "assets", value: of, reason: "other-writer" }) as const;
    const before = side([b], setOf([a, b], martAt), { self: new Set([b]), kept: [value(a), value(b)] });

    const { sides } = taken({
      productsOf: isIn(old),
      sides: new Map([
        [core, joins],
        [old, before],
      ]),
    });

    expect(sides.get(old)).toStrictEqual({
      live: setOf([a, b]),
      desired: {
        ...setOf([b], martAt),
        leaving: new Map([[a, core]]),
        by: [{ origin: martAt, values: [a, b] }, joinsByItself],
      },
      listed: true,
      self: new Set([b, a]),
      kept: [value(b)],
    });
  });

  test("leaves none where it is in none, or is in the one already", () => {
    const [alone, inIt] = [new Map([[core, joins]]), new Map([[core, side([a], setOf([a]))]])];

    expect(taken({ sides: alone })).toStrictEqual({ sides: alone, problems: [] });
    expect(taken({ productsOf: isIn(old, core), sides: inIt })).toStrictEqual({ sides: inIt, problems: [] });
  });

  test.each([
    ["keeps it where it is", { urn: old }],
    ["keeps it out of the new one", { urn: core }],
    ["leaves it alone", { facet: "data_products", urn: a }],
  ])("leaves none where an ignore rule %s", (_, rule) => {
    const sides = new Map([[core, joins]]);
    const ignored = ignoring([{ ...rule, reason: "theirs" }]);

    expect(taken({ productsOf: isIn(old), sides, ignored })).toStrictEqual({ sides, problems: [] });
  });

  test("leaves none where the new one could not be read", () => {
    const sides = new Map([[core, joins]]);
    const unreadable = new Map([[core, "denied"]]);

    expect(taken({ productsOf: isIn(old), sides, unreadable })).toStrictEqual({ sides, problems: [] });
  });

  test("joins by what declares it first", () => {
    const by = [
      { origin: line(2), values: [b] },
      { origin: line(3), values: [a] },
      { origin: line(4), values: [a] },
    ];
    const { sides } = taken({
      productsOf: isIn(old),
      sides: new Map([[core, side([b], { ...setOf([a, b], coreAt), by })]]),
    });

    expect(sides.get(old)?.desired.origin).toEqual(line(3));
  });
});

describe("an asset that is declared to be in two data products", () => {
  const by = (values: readonly Urn[], origin: Origin): Pick<SetValue, "by"> => ({ by: [{ origin, values }] });
  const [ofCore, ofMart] = [by([a, b], coreAt), by([a, c], martAt)];
  const joiningCore = side([b], { ...setOf([a, b], coreAt), ...ofCore });
  const desired = [product(core, setOf([a, b])), product(mart, setOf([a, c]))];
  const problem = {
    code: "exclusive-membership",
    severity: "error",
    args: { urn: a, facet: "assets", groups: [core, mart] },
    origin: coreAt,
    related: martAt,
  };
  const inMart = new Map([
    [core, joiningCore],
    [mart, side([a], setOf([a, c], martAt))],
  ]);

  test("is one problem, joins neither, and stays where it is", () => {
    const sides = new Map([
      [core, joiningCore],
      [mart, side([], { ...setOf([a, c], martAt), ...ofMart })],
    ]);

    expect(taken({ desired, productsOf: new Map([[a, new Set([old])]]), sides })).toStrictEqual({
      sides: new Map([
        [core, side([b], { ...setOf([b], coreAt), ...ofCore })],
        [mart, side([], { ...setOf([c], martAt), ...ofMart })],
      ]),
      problems: [
        { ...problem, args: { ...problem.args, groups: [mart, core] }, origin: martAt, related: coreAt },
      ],
    });
  });

  test("is one also where it is in one of both", () => {
    expect(taken({ desired, sides: inMart }).problems).toStrictEqual([problem]);
  });

  test("is one also where the asset itself declares one of both, or both", () => {
    const [one, both] = [[mart], [core, mart]].map((list) => ({ lists: new Map([[a, setOf(list)]]) }));

    expect(taken({ desired: desired.slice(0, 1), ...one, sides: inMart }).problems).toStrictEqual([problem]);
    expect(taken({ ...both, sides: inMart }).problems).toStrictEqual([problem]);
  });

  test("is one at no place where none is known, nor anything of the other", () => {
    const nowhere = new Map([[core, side([], setOf([a]))]]);
    const { origin: _, related: __, ...bare } = problem;

    expect(taken({ desired, sides: nowhere }).problems).toStrictEqual([bare]);
  });
});
