import { describe, expect, test } from "vitest";
import type { Deletable, Live, Referring } from "../../../src/model/live.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Deletions, deletionsOf, referrersIn } from "../../../src/plan/rollback/deletable.ts";
import type { RollbackStates } from "../../../src/plan/rollback/states.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";

const pii = urn("urn:li:tag:pii");
const gold = urn("urn:li:tag:gold");
const top = urn("urn:li:domain:top");
const below = urn("urn:li:domain:below");
const a = datasetNamed("a");

type Facets = Readonly<Record<string, FacetValue>>;

const tag = (facets: Facets = {}): Entity => entityOf("Tag", pii, facets);
const tagged = (...tags: readonly Urn[]): Entity => entityOf("Dataset", a, { tags: setOf(tags) });

const deletable = (...from: readonly (Urn | undefined)[]): Deletable => ({
  aspects: {},
  referring: from.map((each): Referring => ({ type: "TaggedWith", urn: each })),
  assignments: from.length,
});

interface Given {
  readonly created: State;
  readonly left?: State;
  readonly live?: State;
  /** What refers to what was created. */
  readonly uses?: ReadonlyMap<Urn, Deletable>;
  readonly prune?: readonly string[];
  readonly referrers?: State;
}

const statesOf = ({ created, left = stateOf() }: Given): RollbackStates => ({
  before: stateOf(),
  left,
  created,
  deleted: new Set(),
  several: [],
});

const liveIn = ({ created, live = created, uses }: Given): Live => ({
  ...liveOf(live),
  ...(uses && { deletable: uses }),
});

/** What is deleted, and why other things are held back. */
function deletionsIn(given: Given): { readonly deleted: readonly Urn[]; readonly held: unknown } {
  const { prune = ["Tag", "Domain", "Group", "GlossaryTerm"], referrers = stateOf() } = given;
  const choice = { prune: new Set(prune), referrers };
  const { deleted, held }: Deletions = deletionsOf(statesOf(given), liveIn(given), choice);
  return { deleted: [...deleted.keys()], held: held.map(({ args }) => [args.urn, args.because]) };
}

const isDeleted = { deleted: [pii], held: [] };
const isChanged = { deleted: [], held: [[pii, "changed"]] };
const isInUse = { deleted: [], held: [[pii, "in-use"]] };

describe("what a run created", () => {
  test("is deleted where it is as the run left it and nothing refers to it", () => {
    const created = stateOf(tag());
    const options = { prune: new Set(["Tag"]), referrers: stateOf() };

    expect(deletionsOf(statesOf({ created }), liveOf(created), options)).toEqual({
      deleted: created,
      held: [],
    });
  });

  test("stays, and no problem says so, where its kind is not pruned, or nothing is", () => {
    const created = stateOf(tag());
    const none = { deleted: stateOf(), held: [] };

    expect(deletionsIn({ created, prune: ["Domain"] })).toEqual({ deleted: [], held: [] });
    expect(
      deletionsOf(statesOf({ created }), liveOf(created), { prune: undefined, referrers: stateOf() }),
    ).toEqual(none);
  });

  test("is not deleted where it is not there any more", () => {
    expect(deletionsIn({ created: stateOf(tag()), live: stateOf() })).toEqual({ deleted: [], held: [] });
  });

  test("is held back by a warning that says why", () => {
    const created = stateOf(tag());
    const live = liveOf(stateOf(tag({ description: scalarOf("new") })));
    const options = { prune: new Set(["Tag"]), referrers: stateOf() };

    expect(deletionsOf(statesOf({ created }), live, options).held).toEqual([
      {
        code: "rollback-held",
        severity: "warning",
        args: { urn: pii, kind: "Tag", because: "changed" },
      },
    ]);
  });
});

describe("the values of what a run created", () => {
  const owner = { owner: "urn:li:corpuser:bob", type: "urn:li:ownershipType:__system__none" };
  const [text, other] = [scalarOf("text"), scalarOf("other")];
  const owners = setOf([owner]);
  test.each<readonly [string, Facets, Facets, object]>([
    ["are its own where the run gave them", { description: text }, { description: text }, isDeleted],
    ["are its own where they are none", {}, { description: scalarOf(null), owners: setOf([]) }, isDeleted],
    ["are its own where they are what each new one has", {}, { name: scalarOf("pii") }, isDeleted],
    ["are its own where what each new one has was never stored", {}, { name: scalarOf(null) }, isDeleted],
    ["are its own where one that was given was not read", { description: text }, {}, isDeleted],
    ["are not where one is another", { description: text }, { description: other }, isChanged],
    ["are not where one is none now", { description: text }, { description: scalarOf(null) }, isChanged],
    ["are not where one was given since", {}, { description: text }, isChanged],
    ["are not where the name is another", {}, { name: scalarOf("personal") }, isChanged],
    [
      "are not where a set is a single value now",
      { description: setOf(["text"]) },
      { description: text },
      isChanged,
    ],
    ["are not where it is soft-deleted", {}, { removed: scalarOf(true) }, isChanged],
    ["are its own where it is not soft-deleted", {}, { removed: scalarOf(false) }, isDeleted],
    ["are its own where a set is the same", { owners }, { owners }, isDeleted],
    ["are not where a set has more", {}, { owners }, isChanged],
    ["are not where a set has less", { owners }, { owners: setOf([]) }, isChanged],
    ["are not where a set has others", { owners }, { owners: setOf([{ ...owner, owner: gold }]) }, isChanged],
    ["are not where a single value was changed into a set", { owners: text }, { owners }, isChanged],
  ])("%s", (_, created, live, expected) => {
    expect(deletionsIn({ created: stateOf(tag(created)), live: stateOf(tag(live)) })).toEqual(expected);
  });
});

describe("what refers to what a run created", () => {
  const usedBy = (...from: readonly (Urn | undefined)[]): Pick<Given, "uses"> => ({
    uses: new Map([[pii, deletable(...from)]]),
  });
  const used = usedBy(a);
  const uncounted = new Map([[pii, { ...deletable(), assignments: undefined }]]);
  const [left, referrers] = [stateOf(tagged(pii)), stateOf(tagged(pii, gold))];
  const entries = new Map([["id", setOf([pii])]]);
  const [ofColumn, ofDomain] = [{ shape: "map", entries } as const, scalarOf(top)];
  const both = stateOf(entityOf("Dataset", a, { tags: setOf([pii]), "columns.tags": ofColumn }));
  const others = stateOf(entityOf("Dataset", a, { tags: setOf([pii]), domain: ofDomain }));

  test.each<readonly [string, Partial<Given>, object]>([
    ["does not hold it back where there is nothing", usedBy(), isDeleted],
    ["holds it back where it is of others", used, isInUse],
    ["holds it back where the catalog does not name it", usedBy(undefined), isInUse],
    ["holds it back where it is more than the catalog counts", { uses: uncounted }, isInUse],
    ["does not hold it back where the run wrote it", { ...used, left, referrers }, isDeleted],
    ["does not hold it back whatever else it has", { ...used, left, referrers: others }, isDeleted],
    [
      "holds it back where the run wrote another value there",
      { ...used, left: stateOf(tagged(gold)), referrers },
      isInUse,
    ],
    ["holds it back where the run wrote nothing there", { ...used, referrers }, isInUse],
    ["holds it back where it was not read", { ...used, left }, isInUse],
    ["holds it back where the run wrote only one of its values", { ...used, left, referrers: both }, isInUse],
    [
      "holds it back where one of several is of others",
      { ...usedBy(a, datasetNamed("b")), left, referrers },
      isInUse,
    ],
  ])("%s", (_, given, expected) => {
    expect(deletionsIn({ created: stateOf(tag()), ...given })).toEqual(expected);
  });
});

describe("what a run created below each other", () => {
  const parent = entityOf("Domain", top, {});
  const child = entityOf("Domain", below, { parent: scalarOf(top) });
  const created = stateOf(parent, child);

  test("is deleted together", () => {
    const uses = new Map([[top, deletable(below)]]);

    expect(deletionsIn({ created, uses })).toEqual({ deleted: [top, below], held: [] });
  });

  test("stays together where somebody uses the lower one", () => {
    const uses = new Map([
      [top, deletable(below)],
      [below, deletable(a)],
    ]);

    expect(deletionsIn({ created, uses })).toEqual({
      deleted: [],
      held: [
        [below, "in-use"],
        [top, "in-use"],
      ],
    });
  });

  test("stays, the upper one too, where the lower one was changed", () => {
    const uses = new Map([[top, deletable(below)]]);
    const live = stateOf(parent, entityOf("Domain", below, { description: scalarOf("new") }));

    expect(deletionsIn({ created, live, uses })).toEqual({
      deleted: [],
      held: [
        [below, "changed"],
        [top, "in-use"],
      ],
    });
  });
});

describe("a group that a run created", () => {
  const fin = urn("urn:li:corpGroup:fin");
  const bob = urn("urn:li:corpuser:bob");
  const eve = urn("urn:li:corpuser:eve");
  const group = (...members: readonly Urn[]): Entity => entityOf("Group", fin, { members: setOf(members) });

  test.each<readonly [string, Urn, object]>([
    ["is deleted where its members are those that the run put into it", bob, { deleted: [fin], held: [] }],
    ["stays where somebody else joined it", eve, { deleted: [], held: [[fin, "in-use"]] }],
  ])("%s", (_, member, expected) => {
    const uses = new Map([[fin, deletable(member)]]);

    expect(deletionsIn({ created: stateOf(group(bob)), live: stateOf(group(bob, eve)), uses })).toEqual(
      expected,
    );
  });
});

test("a glossary term that a run created is in use where a term that it names itself refers to it, too", () => {
  const [loan, debt] = [urn("urn:li:glossaryTerm:loan"), urn("urn:li:glossaryTerm:debt")];
  const created = stateOf(entityOf("GlossaryTerm", loan, { related_terms: setOf([debt]) }));

  expect(deletionsIn({ created, uses: new Map([[loan, deletable(debt)]]) })).toEqual({
    deleted: [],
    held: [[loan, "in-use"]],
  });
});

test("what refers to what a run created and has a value of the run must be read, once", () => {
  const created = stateOf(tag(), entityOf("Tag", gold, {}));
  const uses = new Map([
    [pii, deletable(a, undefined, datasetNamed("b"))],
    [gold, deletable(a)],
  ]);

  expect(referrersIn(statesOf({ created, left: stateOf(tagged(pii)) }), liveIn({ created, uses }))).toEqual([
    a,
  ]);
  expect(referrersIn(statesOf({ created }), liveIn({ created }))).toEqual([]);
});
