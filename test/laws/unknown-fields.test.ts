import fc from "fast-check";
import { expect, test } from "vitest";
import { facetsOf, plannedFacets } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { isListEdit, type Proposal } from "../../src/model/operation.ts";
import { applyEdits } from "../../src/sync/write/apply-edits.ts";
import { patchOf } from "../../src/sync/write/patch.ts";
import { counted, lawSeed, runsOf } from "../support/runs.ts";
import { examplesOf } from "../support/sent-documents.ts";

/** The proposals that write facets, by example, under both ways to write. */
const proposals: readonly (readonly [string, Proposal])[] = kinds.flatMap(({ name }) =>
  plannedFacets
    .filter((facet) => facet.kinds.includes(name))
    .flatMap((facet) =>
      (["graphql", "conditional"] as const).flatMap((writes) =>
        examplesOf(facet, name, writes).flatMap((request) =>
          request.type === "proposal"
            ? partsOf(request).map((part) => [`${name} ${facet.name}`, part] as const)
            : [],
        ),
      ),
    ),
);

/** A proposal that adds, and one that takes away: some examples take away what they add. */
function partsOf(proposal: Proposal): readonly Proposal[] {
  const { edits = [] } = proposal;
  const lists = edits.filter((edit) => isListEdit(edit));
  const isBoth = lists.some(({ add, remove }) => {
    const removed = new Set((remove === "all" ? [] : remove).map((each) => canonicalJson(each)));
    return add.some(({ element, unless = [element] }) =>
      unless.some((each) => removed.has(canonicalJson(each))),
    );
  });
  if (!isBoth) return [proposal];
  const part = (of: "add" | "remove"): Proposal => ({
    ...proposal,
    edits: edits.map((edit) => (isListEdit(edit) ? { ...edit, [of]: [] } : edit)),
  });
  return [part("remove"), part("add")];
}

/** What a proposal adds, with all that is in it. */
function addedBy({ edits = [] }: Proposal): readonly string[] {
  const elements = edits.flatMap((edit) => (isListEdit(edit) ? edit.add.map(({ element }) => element) : []));
  return elements.flatMap(mappingsIn).map((each) => canonicalJson(each));
}

/** The aspect that the proposals of one aspect lead to, each behind the other, without those that take something away. */
function storedBy(aspect: string): JsonObject {
  let stored: JsonObject = {};
  for (const [, proposal] of proposals) {
    const { edits = [], set, initial } = proposal;
    const isAdding = edits.every((edit) => (isListEdit(edit) ? edit.add.length > 0 : edit.value !== null));
    if (proposal.aspect !== aspect || !isAdding) continue;
    stored = applyEdits({ ...proposal, set, initial }, stored) ?? stored;
  }
  return stored;
}

const unknown = "aFieldOfALaterRelease";

/** A value with a field in each mapping that this program does not know: what it has, and a number of its own. */
function withUnknown(value: Json, content: Json): Json {
  let count = 0;
  const visit = (part: Json): Json => {
    if (isJsonList(part)) return part.map(visit);
    // A union has one field, and no others.
    if (!isJsonObject(part) || "double" in part || "string" in part) return part;
    const entries = Object.entries(part).map(([key, below = null]) => [key, visit(below)] as const);
    return { ...Object.fromEntries(entries), [unknown]: { content, number: (count += 1) } };
  };
  return visit(value);
}

function withoutUnknown(value: Json): Json {
  if (isJsonList(value)) return value.map(withoutUnknown);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== unknown);
  return Object.fromEntries(entries.map(([key, part = null]) => [key, withoutUnknown(part)]));
}

/** All mappings of a value. */
function mappingsIn(value: Json): readonly JsonObject[] {
  if (isJsonList(value)) return value.flatMap(mappingsIn);
  if (!isJsonObject(value)) return [];
  return [
    value,
    ...Object.entries(value).flatMap(([key, part = null]) => (key === unknown ? [] : mappingsIn(part))),
  ];
}

const aspects = new Set(proposals.map(([, { aspect }]) => aspect));

test("there are proposals of all aspects that facets and kinds write", () => {
  const stored = kinds.flatMap((kind) => [
    ...Object.values(kind.storage).map(([aspect]) => aspect),
    ...facetsOf(kind.name).flatMap(
      ({ scalar, set }) => scalar?.editing?.aspect(kind.name) ?? set?.editing?.aspect(kind.name) ?? [],
    ),
  ]);
  expect(stored.filter((aspect) => !aspects.has(aspect))).toEqual([]);
});

test("fields of a later release in an aspect do not change when other fields are written", counted, () => {
  fc.assert(
    fc.property(fc.constantFrom(...proposals), fc.jsonValue({ maxDepth: 2 }), ([, proposal], drawn) => {
      const content = JSON.parse(JSON.stringify(drawn)) as Json;
      const plain = storedBy(proposal.aspect);
      const stored = withUnknown(plain, content) as JsonObject;

      const written = applyEdits(proposal, stored) ?? stored;

      expect(withoutUnknown(written)).toEqual(applyEdits(proposal, plain) ?? plain);
      expect(written[unknown]).toEqual(stored[unknown]);
      const had = new Set(mappingsIn(stored).map((each) => canonicalJson(each)));
      const own = new Set(addedBy(proposal));
      const known = new Set(mappingsIn(plain).map((each) => canonicalJson(each)));
      // What was there before and is there again has all that it had.
      for (const each of mappingsIn(written)) {
        const text = canonicalJson(withoutUnknown(each));
        if (known.has(text) && !own.has(text)) expect(had).toContain(canonicalJson(each));
      }
    }),
    { numRuns: runsOf(2000), ...(lawSeed !== undefined && { seed: lawSeed }) },
  );
});

test("a patch names no field that this program does not know, but where it writes all of an element", () => {
  for (const [, proposal] of proposals) {
    const stored = withUnknown(storedBy(proposal.aspect), "x") as JsonObject;
    const keeps = { has: () => true } as unknown as ReadonlySet<string>;
    const after = applyEdits(proposal, stored);
    const patch = after && patchOf(proposal, { stored, after }, keeps);
    const isOfElement = proposal.edits?.some((edit) => isListEdit(edit) && edit.emptied === "element");
    if (patch !== undefined && !isOfElement) expect(JSON.stringify(patch)).not.toContain(unknown);
  }
});
