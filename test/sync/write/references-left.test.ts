import { expect, test } from "vitest";
import type { EntityChange, SetChange } from "../../../src/model/change.ts";
import type { Outcome } from "../../../src/model/report.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { awaitReferencesRemoved } from "../../../src/sync/write/removed-references.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { deleting, type AskedCatalog, catalogOf, tagged } from "./asked-catalog.ts";
import { operationOf } from "./sent-by.ts";

const [pii, old] = ["pii", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn];
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const world = [
  [pii, "tagProperties", { name: "pii" }],
  [old, "tagProperties", { name: "old" }],
  tagged("a", pii),
  tagged("b", pii, old),
] as const;

function untagging(of: Urn, tag: Urn): SetChange {
  const about = { action: "update", kind: "Dataset", urn: of, fingerprint: "" } as const;
  return { ...about, shape: "set", facet: "tags", add: [], remove: [tag] };
}

const removed = (of: Urn, tag: Urn, status: Outcome["status"] = "applied"): Outcome => ({
  status,
  operation: operationOf("r", of, { changes: [untagging(of, tag)] }),
  error: "",
  because: "",
});

const deleted = (change: EntityChange, status: Outcome["status"] = "applied"): Outcome => ({
  ...removed(a, pii, status),
  operation: deleting([change]),
});

/** What is left after the wait, what was said, and how many searches were sent. */
async function leftAfter(
  outcomes: (catalog: AskedCatalog) => Promise<readonly Outcome[]>,
  onSearch: (search: number, catalog: AskedCatalog) => unknown = () => undefined,
) {
  let searches = 0;
  const catalog: AskedCatalog = await catalogOf(world, async (name) => {
    if (!name.startsWith("Search")) return;
    searches += 1;
    await onSearch(searches, catalog);
  });
  const made = await outcomes(catalog);
  const told: string[] = [];
  const { signal } = new AbortController();
  const before = catalog.unsignalled(signal);
  const left = await awaitReferencesRemoved(catalog.writer, made, {
    signal,
    onWait: (text) => told.push(text),
  });
  expect(catalog.unsignalled(signal)).toBe(before);
  return { left, told, searches };
}

const text = (tag: Urn): string => `Waiting for the server to remove the references to ${tag} (30 s at most)`;

test("it waits until nothing refers to what was deleted", async () => {
  const found = await leftAfter(
    async ({ deletionOf }) => [deleted(await deletionOf(pii))],
    async (search, { load }) => {
      if (search === 2) await load(tagged("a"));
      if (search === 3) await load(tagged("b", old));
    },
  );
  expect(found).toEqual({ left: [], told: [text(pii)], searches: 3 });
});

test("what still refers to it after the wait is left, of each entity that was deleted", async () => {
  const found = await leftAfter(
    async ({ deletionOf }) => [deleted(await deletionOf(pii)), deleted(await deletionOf(old))],
    async (search, { load }) => {
      if (search === 1) await load(tagged("a"), tagged("b", pii));
    },
  );
  expect(found).toMatchObject({ left: [{ urn: pii, count: 1, from: [b] }], told: [text(pii)] });
});

test("what operations removed needs no wait; one reference that they did not does", async () => {
  const one = await leftAfter(async ({ deletionOf }) => [deleted(await deletionOf(pii)), removed(a, pii)]);
  expect(one.left).toEqual([{ urn: pii, count: 2, from: [a, b] }]);
  const both = await leftAfter(async ({ deletionOf }) => [
    deleted(await deletionOf(pii)),
    removed(a, pii),
    removed(b, pii),
  ]);
  expect(both).toEqual({ left: [], told: [], searches: 0 });
  const failed = await leftAfter(async ({ deletionOf }) => [
    deleted(await deletionOf(pii)),
    removed(a, pii),
    removed(b, pii, "failed"),
  ]);
  expect(failed.left).toMatchObject([{ urn: pii }]);
});

test("of a deletion of which the references were not counted it always waits", async () => {
  const found = await leftAfter(
    async ({ deletionOf }) => {
      const { assignments: _, ...uncounted } = await deletionOf(pii);
      return [deleted(uncounted), removed(a, pii), removed(b, pii)];
    },
    async (search, { load }) => {
      if (search === 2) await load(tagged("a"), tagged("b"));
    },
  );
  expect(found).toEqual({ left: [], told: [text(pii)], searches: 2 });
});

test("a deletion that was not applied is not waited for", async () => {
  const found = await leftAfter(async ({ deletionOf }) => [
    deleted(await deletionOf(pii), "failed"),
    deleted(await deletionOf(old), "skipped"),
  ]);
  expect(found).toEqual({ left: [], told: [], searches: 0 });
});
