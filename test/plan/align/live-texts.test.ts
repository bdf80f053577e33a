import { describe, expect, test } from "vitest";
import { type FacetValue, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import { withLiveTexts } from "../../../src/plan/align/live-texts.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

type Facets = Readonly<Record<string, FacetValue>>;

/** What is declared of a dataset, with the texts of the catalog. */
function compared(declared: Facets, there: Facets, fields: readonly string[] = []): Facets {
  const live = { state: stateOf(entityOf("Dataset", a, there)), fields: new Set(fields) };
  const state = withLiveTexts(stateOf(entityOf("Dataset", a, declared)), live);
  return Object.fromEntries(state.get(a)?.facets ?? []);
}

/** What is declared at one facet of it. */
function likedAt(facet: string, declared: FacetValue, live: FacetValue): FacetValue | undefined {
  return compared({ [facet]: declared }, { [facet]: live })[facet];
}

describe("a declared text", () => {
  const liked = (declared: Scalar, live: FacetValue): FacetValue | undefined =>
    likedAt("description", scalarOf(declared, origin), live);

  // What is declared, what the catalog has.
  test.each<readonly [string, string, string]>([
    ["blanks at the end of a line", "a \t\nb", "a\nb"],
    ["line ends of Windows", "a\r\nb", "a\nb"],
    ["line ends of an old Macintosh", "a\rb", "a\nb"],
    ["blank lines at the end", "a", "a\n\n"],
    ["blanks at the end of the text", "a", "a  "],
  ])("is that of the catalog where both differ only in %s", (_, declared, live) => {
    expect(liked(declared, scalarOf(live))).toEqual(scalarOf(live, origin));
    expect(liked(live, scalarOf(declared))).toEqual(scalarOf(declared, origin));
  });

  test.each<readonly [string, string, string]>([
    ["the words", "a", "b"],
    ["blanks at the start", " a", "a"],
    ["blanks within a line", "a  b", "a b"],
    ["the number of line ends", "a\n\nb", "a\nb"],
    ["words before a line end", "abc\nb", "\nb"],
    ["line ends where the other has blanks", "a\nb", "a b"],
  ])("stays where they differ in %s", (_, declared, live) => {
    expect(liked(declared, scalarOf(live))).toEqual(scalarOf(declared, origin));
  });

  test("is left out where the catalog shows it anyway", () => {
    const shown = { ...scalarOf(null), fallback: "a\n" };
    expect(liked("a", shown)).toEqual(scalarOf(null, origin));
    expect(liked("b", shown)).toEqual(scalarOf("b", origin));
  });

  test("is compared with what was edited and not with what ingestion wrote", () => {
    const edited = { ...scalarOf("b\n"), fallback: "a" };
    expect(liked("a", edited)).toEqual(scalarOf("a", origin));
    expect(liked("b", edited)).toEqual(scalarOf("b\n", origin));
  });

  test("can be a field beside others: a change of another field stays", () => {
    const deprecation = (note: string, more: Readonly<Record<string, number>> = {}): FacetValue =>
      scalarOf({ note, ...more }, origin);

    expect(likedAt("deprecation", deprecation("a"), deprecation("a\n"))).toEqual(deprecation("a\n"));
    expect(likedAt("deprecation", deprecation("a", { at: 1 }), deprecation("a\n", { at: 1 }))).toEqual(
      deprecation("a\n", { at: 1 }),
    );
    const later = deprecation("a", { at: 2 });
    expect(likedAt("deprecation", later, deprecation("a\n", { at: 1 }))).toBe(later);
  });

  test("is that of the catalog also where it was declared before, each that was", () => {
    const before = (since: readonly Scalar[]): FacetValue => ({ ...scalarOf("x", origin), since });
    const now = scalarOf("a\n");

    expect(likedAt("description", before(["b", "a"]), now)).toEqual(before(["b", "a\n"]));
    expect(likedAt("description", { ...before(["b"]), value: "a" } as FacetValue, now)).toEqual({
      ...before(["b"]),
      value: "a\n",
    });
    const other = before(["b", "c"]);
    expect(likedAt("description", other, now)).toBe(other);
  });
});

describe("the texts of columns", () => {
  const columns = (entries: Facets): FacetValue => ({
    shape: "map",
    entries: new Map(Object.entries(entries)),
  });
  const liked = (declared: FacetValue, live: FacetValue): FacetValue | undefined =>
    likedAt("columns.description", declared, live);

  test("are each that of the catalog where it differs in blanks only", () => {
    const declared = { id: scalarOf("a"), email: scalarOf("b"), amount: scalarOf("c") };
    const live = columns({ id: scalarOf("a\n"), email: scalarOf("x\n") });

    expect(liked(columns(declared), live)).toEqual(columns({ ...declared, id: scalarOf("a\n") }));
  });

  test("are the same map where nothing differs in blanks only", () => {
    const declared = columns({ id: scalarOf("a"), email: scalarOf("b") });
    expect(liked(declared, columns({ id: scalarOf("a"), email: scalarOf("x") }))).toBe(declared);
  });

  test("stay where the catalog has no map", () => {
    const declared = columns({ id: scalarOf("a") });
    expect(liked(declared, scalarOf("a\n"))).toBe(declared);
    expect(liked(scalarOf("a"), columns({ id: scalarOf("a\n") }))).toEqual(scalarOf("a"));
  });
});

describe("a declared link", () => {
  const [declared, labelled] = [
    { url: "https://x.example", label: "Runbook" },
    { url: "https://x.example", label: "Old" },
  ];
  const [other, third] = [
    { url: "https://b.example", label: "B" },
    { url: "https://c.example", label: "C" },
  ];
  const before = ["InstitutionalMemoryMetadata.author"];
  const links = setOf([declared, other], origin);

  test("is the one of the catalog with its URL where the server does not tell two labels apart", () => {
    const { links: liked } = compared({ links }, { links: setOf([labelled, third]) }, before);
    expect(liked).toEqual(setOf([labelled, other], origin));
  });

  test("stays where the server does", () => {
    const now = [...before, "InstitutionalMemoryMetadata.updated"];
    expect(compared({ links }, { links: setOf([labelled]) }, now)).toEqual({ links });
  });

  test("stays where one of both is no set", () => {
    expect(compared({ links }, { links: scalarOf("x") }, before)["links"]).toBe(links);
    expect(compared({ links: scalarOf("x") }, { links }, before)).toEqual({ links: scalarOf("x") });
  });
});

test("what is no text for people stays as it is declared", () => {
  const declared = { domain: scalarOf("a"), tags: setOf(["a"]) };
  const there = { domain: scalarOf("a\n"), tags: setOf(["a\n"]) };
  expect(compared(declared, there)).toEqual(declared);
  expect(compared(declared, there, ["InstitutionalMemoryMetadata.author"])).toEqual(declared);
});

test("a state without such a text is the same one; else only the entities that have one are others", () => {
  const [one, two] = [{ description: scalarOf("a"), tags: setOf([]) }, { description: scalarOf("b") }];
  const state = stateOf(entityOf("Dataset", a, one), entityOf("Dataset", b, two));
  const live = (text: string) => ({
    state: stateOf(entityOf("Dataset", a, { ...one, description: scalarOf(text) })),
  });

  expect(withLiveTexts(state, live("c"))).toBe(state);
  const liked = withLiveTexts(state, live("a\n"));
  expect(liked).toEqual(
    stateOf(entityOf("Dataset", a, { ...one, description: scalarOf("a\n") }), entityOf("Dataset", b, two)),
  );
  expect(liked.get(b)).toBe(state.get(b));
});
