import { describe, expect, test, vi } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { DeclaredReference, Existence } from "../../../src/model/reference.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  deletedReferences,
  referencesNoLongerDeclared,
} from "../../../src/plan/checks/deleted-references.ts";
import { referenceProblems, referencesToCheck } from "../../../src/plan/checks/references.ts";
import type { State } from "../../../src/model/state.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { argOf } from "../../support/problem-args.ts";

const a = datasetNamed("a");
const tag = urn("urn:li:tag:t");
const [alice, fin] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:fin")];
const type = urn("urn:li:ownershipType:x");
const at = (line: number): DeclaredReference["origin"] => ({ file: "catalog/a.yaml", line, column: 1 });

function reference(to: Urn, facet: string, from: Urn = a, line = 1): DeclaredReference {
  return { urn: to, entityType: to.split(":")[2] ?? "", from, facet, origin: at(line) };
}

function change(facet: string, delta: object, of: Urn = a): Change {
  const shape = "add" in delta ? "set" : "scalar";
  return { action: "update", shape, kind: "Dataset", urn: of, facet, fingerprint: "", ...delta } as Change;
}

const deletion: Change = { action: "delete", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" };

describe("a reference is looked up", () => {
  // A reference, the changes, whether it must be looked up.
  test.each<readonly [string, DeclaredReference, Change, boolean]>([
    ["that is added", reference(tag, "tags"), change("tags", { add: [tag], remove: [] }), true],
    ["that goes", reference(tag, "tags"), change("tags", { add: [], remove: [tag] }), false],
    ["of another facet", reference(tag, "tags"), change("columns.tags", { add: [tag], remove: [] }), false],
    ["of another entity", reference(tag, "tags"), change("tags", { add: [tag], remove: [] }, fin), false],
    [
      "that is set",
      reference(alice, "manager_urn"),
      change("manager_urn", { before: null, after: alice }),
      true,
    ],
    [
      "that is unset",
      reference(alice, "manager_urn"),
      change("manager_urn", { before: alice, after: null }),
      false,
    ],
    [
      "beside a number",
      reference(alice, "department_id"),
      change("department_id", { before: null, after: 7 }),
      false,
    ],
    [
      "of an owner",
      reference(alice, "owners"),
      change("owners", { add: [{ owner: alice, type }], remove: [] }),
      true,
    ],
    [
      "of an owner's type",
      reference(type, "owners"),
      change("owners", { add: [{ owner: alice, type }], remove: [] }),
      true,
    ],
    [
      "of a group from its user",
      reference(fin, "groups", alice),
      change("members", { add: [alice], remove: [] }, fin),
      true,
    ],
    [
      "of another facet of the user",
      reference(fin, "groups", alice),
      change("owners", { add: [alice], remove: [] }, fin),
      false,
    ],
    [
      "of a user from its group",
      reference(alice, "members", fin),
      change("members", { add: [alice], remove: [] }, fin),
      true,
    ],
  ])("%s: only where the changes write it", (_, asked, written, isAsked) => {
    expect(referencesToCheck([asked], [deletion, written], () => false)).toEqual(isAsked ? [asked] : []);
  });

  test("unless it is known, and an entity as a whole refers to nothing", () => {
    const written = change("tags", { add: [tag], remove: [] });

    expect(referencesToCheck([reference(tag, "tags")], [written], (of) => of === tag)).toEqual([]);
    expect(referencesToCheck([reference(tag, "tags")], [deletion], () => false)).toEqual([]);
  });

  test("that something else writes later", () => {
    const [own, other] = [reference(tag, "tags"), reference(tag, "columns.tags")];

    expect(referencesToCheck([own, other], [], () => false, [[a, "tags", tag]])).toEqual([own]);
  });
});

describe("what is referred to", () => {
  const problems = (to: Urn, found: Existence | undefined): ReturnType<typeof referenceProblems> =>
    referenceProblems([reference(to, "x")], new Map(found ? [[to, found]] : []));

  test.each<readonly [Urn, Existence["status"], string, object]>([
    [tag, "absent", "reference-missing", { what: "Tag", id: "t" }],
    [tag, "soft-deleted", "reference-removed", { what: "Tag" }],
    [alice, "absent", "reference-missing", { what: "User", id: "alice" }],
    [fin, "absent", "reference-missing", { what: "Group", id: "fin" }],
    [urn("urn:li:domain:a%2Cb"), "absent", "reference-missing", { what: "Domain", id: "a,b" }],
    [type, "absent", "reference-missing", { what: "ownership type" }],
  ])("%s and is %s is a problem at its place", (to, status, code, args) => {
    expect(problems(to, { status } as Existence)).toStrictEqual([
      { code, severity: "error", args: { urn: to, ...args }, origin: at(1) },
    ]);
  });

  test("and is there is no problem", () => {
    expect(problems(tag, { status: "present" })).toEqual([]);
  });

  test.each<readonly [string, Existence | undefined, string]>([
    ["could not be read", { status: "unreadable", error: "no right to see it" }, "no right to see it"],
    ["was not asked for", undefined, "this command did not request it"],
  ])("and %s is not called absent", (_, found, error) => {
    expect(problems(tag, found)).toStrictEqual([
      { code: "read-failed", severity: "error", args: { urn: tag, error }, origin: at(1) },
    ]);
  });

  test("and is missing is named once, at its first place, with how many references there are and the next places", () => {
    const found = [3, 2, 3, 7, 8, 9].map((line) => reference(tag, "tags", a, line));
    const absent = new Map([[tag, { status: "absent" } as const]]);
    const args = { urn: tag, what: "Tag", id: "t" };
    const also = [2, 7, 8].map((line) => `catalog/a.yaml:${line}:1`);

    expect(referenceProblems(found, absent)).toMatchObject([
      { args: { ...args, times: 6, also }, origin: at(3) },
    ]);
    expect(referenceProblems(found, absent, { isShard: true })).toStrictEqual([
      { code: "reference-missing", severity: "error", args, origin: at(3) },
    ]);
  });

  // What is missing, what else was looked up, what is suggested.
  test.each<readonly [string, readonly (readonly [string, Existence["status"]])[], string | undefined]>([
    ["urn:li:tag:finanse", [["urn:li:tag:finance", "present"]], "finance"],
    ["urn:li:tag:finanse", [["urn:li:tag:finance", "absent"]], undefined],
    ["urn:li:tag:finanse", [["urn:li:tag:finance", "soft-deleted"]], undefined],
    ["urn:li:tag:finanse", [["urn:li:domain:finance", "present"]], undefined],
    ["urn:li:tag:finanse", [["urn:li:tag:zebra", "present"]], undefined],
  ])("and is missing as %s beside %j lets %s be suggested", (text, others, suggestion) => {
    const missing = urn(text);
    const existence = new Map<Urn, Existence>([
      [missing, { status: "absent" }],
      ...others.map(([other, status]) => [urn(other), { status } as Existence] as const),
    ]);

    const [problem] = referenceProblems([reference(missing, "tags")], existence);

    expect(argOf(problem!, "suggestion")).toBe(suggestion);
  });

  test("and is missing lets what is declared or referred to elsewhere be suggested, unless that is absent, too", () => {
    const [missing, absent] = [urn("urn:li:tag:finanse"), urn("urn:li:tag:finansee")];
    const existence = new Map<Urn, Existence>([missing, absent].map((each) => [each, { status: "absent" }]));
    const others = [missing, absent, urn("urn:li:domain:finanze"), urn("urn:li:tag:finance")];

    const [problem] = referenceProblems([reference(missing, "tags")], existence, { others });

    expect(argOf(problem!, "suggestion")).toBe("finance");
  });

  test("and is missing with many others gets a suggestion only among the first 20", () => {
    const names = Array.from({ length: 25 }, (_, index) => `finanse-${String.fromCodePoint(97 + index)}`);
    const existence = new Map<Urn, Existence>(
      names.flatMap((name) => [
        [urn(`urn:li:tag:${name}`), { status: "absent" }],
        [urn(`urn:li:tag:${name.replace("s", "c")}`), { status: "present" }],
      ]),
    );
    const missing = names.map((name) => reference(urn(`urn:li:tag:${name}`), "tags"));

    const suggested = referenceProblems(missing, existence).map((problem) => argOf(problem, "suggestion"));

    expect(suggested).toStrictEqual(
      names.map((name, index) => (index < 20 ? name.replace("s", "c") : undefined)),
    );
  });

  test("and is missing 500 times beside 5,000 names is compared with them 20 times", () => {
    const name = (index: number): string => `a-rather-long-name-of-a-tag-${index}`;
    const present = Array.from({ length: 5000 }, (_, index) => urn(`urn:li:tag:${name(index)}`));
    const missing = Array.from({ length: 500 }, (_, index) => urn(`urn:li:tag:${name(index)}-x`));
    const existence = new Map<Urn, Existence>([
      ...present.map((each) => [each, { status: "present" }] as const),
      ...missing.map((each) => [each, { status: "absent" }] as const),
    ]);
    const walks = vi.spyOn(existence, Symbol.iterator);

    const found = referenceProblems(
      missing.map((each) => reference(each, "tags")),
      existence,
    );

    expect(found).toHaveLength(500);
    expect(found.filter(({ args }) => "suggestion" in args)).toHaveLength(20);
    expect(walks.mock.calls.length).toBeLessThanOrEqual(1);
  });
});

test("each place that refers to what is deleted is a problem, once for all assets of a rule", () => {
  const [gone, kept, updated] = ["gone", "kept", "updated"].map((id) => urn(`urn:li:tag:${id}`));
  const changes: readonly Change[] = [
    { action: "delete", shape: "entity", kind: "Tag", urn: gone!, fingerprint: "" },
    { action: "create", shape: "entity", kind: "Tag", urn: updated!, fingerprint: "" },
  ];

  expect(
    deletedReferences(
      [
        reference(kept!, "tags", a, 1),
        reference(gone!, "tags", a, 2),
        reference(updated!, "tags", a, 3),
        reference(gone!, "tags", a, 4),
        reference(gone!, "tags", datasetNamed("b"), 4),
      ],
      changes,
    ),
  ).toEqual(
    [2, 4].map((line) => ({
      code: "deleted-reference",
      severity: "error",
      args: { urn: gone },
      origin: at(line),
    })),
  );
  expect(deletedReferences([reference(kept!, "tags", a, 1)], changes)).toEqual([]);
});

test("a reference to a definition that was declared before, is not now and stays is a warning, at its first place", () => {
  const [gone, kept, deleted, unknown] = ["gone", "kept", "deleted", "unknown"].map((id) =>
    urn(`urn:li:tag:${id}`),
  );
  const [absent] = [urn("urn:li:tag:absent")];
  const references = [kept!, gone!, gone!, deleted!, unknown!, absent].map((to, line) =>
    reference(to, "tags", a, line),
  );
  const changes: readonly Change[] = [
    { action: "delete", shape: "entity", kind: "Tag", urn: deleted!, fingerprint: "" },
    change("owners", { add: [], remove: [{ owner: alice, type }] }, gone),
  ];
  const state = (...urns: readonly Urn[]): State =>
    new Map(urns.map((each) => [each, { urn: each, kind: "Tag", facets: new Map() }]));
  const compared = { desired: state(kept!), base: state(gone!, kept!, deleted!, absent), changes };

  const live = state(gone!, kept!, deleted!, unknown!);
  expect(referencesNoLongerDeclared(references, { ...compared, live })).toEqual([
    { code: "no-longer-declared", severity: "warning", args: { urn: gone }, origin: at(1) },
  ]);
  expect(referencesNoLongerDeclared(references, { ...compared, live, base: undefined })).toEqual([]);
  expect(referencesNoLongerDeclared(references, { ...compared, live, part: new Set([fin]) })).toEqual([]);
});
