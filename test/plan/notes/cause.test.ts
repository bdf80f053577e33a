import { expect, test } from "vitest";
import type { Source } from "../../../src/model/change.ts";
import {
  type Contribution,
  type Member,
  type Scalar,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../../src/model/state.ts";
import type { Difference } from "../../../src/plan/diff/diff.ts";
import { cause } from "../../../src/plan/notes/cause.ts";
import type { ChangeContext } from "../../../src/plan/notes/note.ts";
import { notesContext } from "../../support/noted.ts";
import { datasetNamed, urn } from "../../support/states.ts";

/** The place and the rules of a difference, by the declarations of its value now and in base. */
function causeOf(difference: Difference, declared: Pick<ChangeContext, "desired" | "base">): unknown {
  const plan = notesContext({ desired: new Map(), live: new Map() });
  const others = { mode: "authoritative", live: undefined, applied: undefined, ahead: undefined } as const;
  return cause.of({ ...difference, fingerprint: "" }, { plan, ...others, ...declared });
}

const at = (file: string, line = 1): NonNullable<Contribution["origin"]> => ({ file, line, column: 1 });
const byRule = (rule: string, ...values: readonly (Member | Scalar)[]): Contribution => ({
  rule,
  origin: at(`${rule}.yaml`),
  values,
});
const byDocument = (file: string, ...values: readonly (Member | Scalar)[]): Contribution => ({
  origin: at(file),
  values,
});
// A document of the entity at the other end of an edge.
const byEnd = (end: string, file: string, ...values: readonly Member[]): Contribution => ({
  end: urn(end),
  ...byDocument(file, ...values),
});
const [ada, ben] = ["urn:li:corpuser:ada", "urn:li:corpuser:ben"] as const;
const inBase = (file: string): Source => ({ ...at(file), base: true });
const owner = (type: string): Member => ({ owner: "urn:li:corpuser:a", type });
const about = { action: "update", kind: "Dataset", urn: datasetNamed("a") } as const;

interface Case {
  readonly now?: readonly Contribution[];
  readonly base?: readonly Contribution[];
  readonly add?: readonly Member[];
  readonly remove?: readonly Member[];
}

const setBy = (by: readonly Contribution[] | undefined): SetValue | undefined => by && { ...setOf([]), by };

test.each<readonly [string, Case, Source | undefined, readonly string[]]>([
  [
    "the rule that declares a value that comes",
    { now: [byRule("r", "x"), byRule("s", "y")], add: ["x"] },
    at("r.yaml"),
    ["r"],
  ],
  [
    "all rules that declare it, the first at its place",
    { now: [byRule("s", "x"), byRule("r", "x")], add: ["x"] },
    at("s.yaml"),
    ["r", "s"],
  ],
  [
    "a rule once, by however many of its lines",
    { now: [byRule("r", "x"), byRule("r", "y")], add: ["x", "y"] },
    at("r.yaml"),
    ["r"],
  ],
  [
    "a rule of owners, by owner and type",
    { now: [byRule("r", owner("t")), byRule("s", owner("u"))], add: [owner("t")] },
    at("r.yaml"),
    ["r"],
  ],
  [
    "the document, where a rule declares it, too",
    { now: [byRule("r", "x"), byDocument("a", "x")], add: ["x"] },
    at("a"),
    [],
  ],
  [
    "the first of several documents",
    { now: [byDocument("b", "y"), byDocument("a", "x", "y")], add: ["x", "y"] },
    at("a"),
    [],
  ],
  [
    "a document and a rule with a value each",
    { now: [byDocument("a", "y"), byRule("r", "x")], add: ["x", "y"] },
    at("r.yaml"),
    ["r"],
  ],
  [
    "what comes before what goes",
    { now: [byDocument("a", "y")], base: [byRule("r", "x")], add: ["y"], remove: ["x"] },
    at("a"),
    ["r"],
  ],
  [
    "the document that manages what base does not know",
    { now: [byRule("r", "x"), byDocument("a")], base: [], remove: ["z"] },
    at("a"),
    [],
  ],
  [
    "the rules that alone manage what base does not know",
    { now: [byRule("r", "x"), byRule("s")], remove: ["z"] },
    at("r.yaml"),
    ["r", "s"],
  ],
  [
    "a document that lists less",
    { now: [byRule("r", "x"), byDocument("a")], base: [byDocument("a", "z")], remove: ["z"] },
    at("a"),
    [],
  ],
  [
    "a rule that lists less",
    { now: [byDocument("a"), byRule("r", "x")], base: [byRule("r", "z")], remove: ["z"] },
    at("r.yaml"),
    ["r"],
  ],
  [
    "a rule that is gone",
    { now: [byDocument("a")], base: [byDocument("a", "y"), byRule("r", "z")], remove: ["z"] },
    inBase("r.yaml"),
    ["r"],
  ],
  [
    "a document that is gone, beside one that was there",
    { now: [byDocument("b", "y")], base: [byDocument("a", "z"), byDocument("b", "y")], remove: ["z"] },
    inBase("a"),
    [],
  ],
  [
    "a document that took the place of one",
    { now: [byDocument("b", "y")], base: [byDocument("a", "z")], remove: ["z"] },
    at("b"),
    [],
  ],
  [
    "a document that is gone, though a rule took its place",
    { now: [byRule("r", "y")], base: [byDocument("a", "z")], remove: ["z"] },
    inBase("a"),
    [],
  ],
  [
    "a document that is gone, though a rule stands in the same file",
    { now: [byRule("r", "y")], base: [byDocument("r.yaml", "z")], remove: ["z"] },
    inBase("r.yaml"),
    [],
  ],
  [
    "a rule that is gone, though a document stands in the same file",
    { now: [byDocument("r.yaml", "y")], base: [byRule("r", "z")], remove: ["z"] },
    inBase("r.yaml"),
    ["r"],
  ],
  [
    "the document of the group that manages its members, and none of these",
    { now: [byEnd(ada, "ada", ada), byEnd(ben, "ben"), byDocument("group", ada)], remove: [ben] },
    at("group"),
    [],
  ],
  [
    "the document of the member that goes, where none of the group manages them",
    { now: [byEnd(ada, "ada", ada), byEnd(ben, "ben")], remove: [ben] },
    at("ben"),
    [],
  ],
  [
    "a document of a member that is gone, though the group now lists its members",
    { now: [byDocument("group", ada)], base: [byEnd(ben, "ben", ben)], remove: [ben] },
    inBase("ben"),
    [],
  ],
  [
    "a document of a member that is gone, though its file has the group",
    { now: [byDocument("one", ada)], base: [byEnd(ben, "one", ben)], remove: [ben] },
    inBase("one"),
    [],
  ],
  ["nobody, where no place is known", { remove: ["z"] }, undefined, []],
])("the cause of a change of a set is %s", (_, { now, base, add = [], remove = [] }, source, rules) => {
  const difference = { ...about, facet: "tags", shape: "set", add, remove } as const;
  expect(causeOf(difference, { desired: setBy(now), base: setBy(base) })).toStrictEqual({
    ...(source && { source }),
    ...(rules.length > 0 && { rules }),
  });
});

test("the cause of what a prune takes away is who declared it in base", () => {
  const desired: SetValue = { ...setOf([], at("r.yaml")), isPruned: true };
  const base = setBy([byDocument("a", "y"), byRule("r", "z")]);
  const difference = { ...about, facet: "tags", shape: "set", add: [], remove: ["z"] } as const;
  expect(causeOf(difference, { desired, base })).toStrictEqual({ source: inBase("r.yaml"), rules: ["r"] });
});

test.each<readonly [string, ScalarValue, Source, readonly string[]]>([
  ["a document", scalarOf("d", at("a")), at("a"), []],
  [
    "the rule that declares it",
    { ...scalarOf("d"), by: [byRule("q", "e"), byRule("r", "d")] },
    at("r.yaml"),
    ["r"],
  ],
  ["a document that unsets it", scalarOf(null, at("a")), at("a"), []],
  ["a prune", { ...scalarOf(null, at("a")), isPruned: true }, inBase("b"), []],
])("the cause of a change of a single value is %s", (_, desired, source, rules) => {
  const base = scalarOf("c", at("b"));
  const difference = {
    ...about,
    facet: "domain",
    shape: "scalar",
    before: "c",
    after: desired.value,
  } as const;
  expect(causeOf(difference, { desired, base })).toStrictEqual({
    source,
    ...(rules.length > 0 && { rules }),
  });
});
