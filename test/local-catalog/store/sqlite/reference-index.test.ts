import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { AspectStore } from "../../../../src/local-catalog/store/aspect-store.ts";
import { openSqlite } from "../../../../src/local-catalog/store/sqlite/connection.ts";
import { aspectStoreIn } from "../../../../src/local-catalog/store/sqlite/open-store.ts";
import { temporaryDirectory } from "../../support.ts";

const audit = { actor: "urn:li:corpuser:a", time: 1, systemMetadata: {} };
const urns = ["urn:li:tag:a", "urn:li:tag:b", 'urn:li:tag:"c" \\ ü'];
const aspects = ["globalTags", "ownership"];

const values = urns.flatMap((urn): readonly JsonObject[] => [
  { list: [{ tag: urn }, "urn:li:tag:a"] },
  { [urn]: [1, null, true] },
  { text: `about ${urn}`, quoted: `"${urn}"`, begins: `${urn} and more` },
]);

const step = fc.record({
  does: fc.constantFrom("put", "put", "delete", "delete all", "find", "open again"),
  urn: fc.constantFrom(...urns),
  aspect: fc.constantFrom(...aspects),
  value: fc.constantFrom(...values),
});

function openIn(directory: string): AspectStore {
  return aspectStoreIn(openSqlite(join(directory, "catalog.db")), () => "id-1");
}

function found(store: AspectStore, urn: string): readonly string[] {
  const places: string[] = [];
  store.eachContaining(urn, (referrer, aspect) => places.push(`${referrer} ${aspect}`));
  return places;
}

test("what contains a URN is found, whatever was written, removed and found before", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const directory = temporaryDirectory();
      let store = openIn(directory);
      const stored = new Map<string, JsonObject>();
      const expected = (urn: string): readonly string[] =>
        [...stored].flatMap(([place, value]) =>
          JSON.stringify(value).includes(JSON.stringify(urn)) ? [place] : [],
        );
      for (const { does, urn, aspect, value } of steps) {
        const place = `${urn} ${aspect}`;
        if (does === "put") {
          store.put(urn, aspect, value, audit);
          stored.set(place, value);
        } else if (does === "delete") {
          store.deleteAspect(urn, aspect);
          stored.delete(place);
        } else if (does === "delete all") {
          store.deleteEntity(urn);
          for (const name of aspects) stored.delete(`${urn} ${name}`);
        } else if (does === "find") {
          expect(found(store, urn)).toEqual(expected(urn).toSorted());
        } else {
          store.close();
          store = openIn(directory);
        }
      }
      for (const urn of urns) expect(found(store, urn)).toEqual(expected(urn).toSorted());
      store.close();
    }),
  );
});

test("the number of a row that is given again does not hide its value", () => {
  const store = openIn(temporaryDirectory());
  onTestFinished(() => store.close());
  store.put("urn:li:tag:a", "globalTags", { tag: "urn:li:tag:b" }, audit);
  expect(found(store, "urn:li:tag:b")).toEqual(["urn:li:tag:a globalTags"]);
  store.deleteEntity("urn:li:tag:a");
  store.put("urn:li:tag:c", "ownership", { owner: "urn:li:tag:b" }, audit);
  expect(found(store, "urn:li:tag:b")).toEqual(["urn:li:tag:c ownership"]);
});

test("a write that is taken back is not found, and the next one is", () => {
  const store = openIn(temporaryDirectory());
  onTestFinished(() => store.close());
  const failing = () =>
    store.transaction(() => {
      store.put("urn:li:tag:a", "globalTags", { tag: "urn:li:tag:b" }, audit);
      expect(found(store, "urn:li:tag:b")).toHaveLength(1);
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  store.put("urn:li:tag:c", "globalTags", { tag: "urn:li:tag:b" }, audit);
  expect(found(store, "urn:li:tag:b")).toEqual(["urn:li:tag:c globalTags"]);
});

test("a catalog from before the index is indexed", () => {
  const directory = temporaryDirectory();
  const before = openIn(directory);
  before.put("urn:li:tag:a", "globalTags", { tag: "urn:li:tag:b" }, audit);
  before.close();
  const database = openSqlite(join(directory, "catalog.db"));
  database.exec("DROP TRIGGER aspect_deleted; DROP TABLE reference; DROP TABLE indexed_aspect");
  database.close();
  const store = openIn(directory);
  onTestFinished(() => store.close());
  expect(found(store, "urn:li:tag:b")).toEqual(["urn:li:tag:a globalTags"]);
});
