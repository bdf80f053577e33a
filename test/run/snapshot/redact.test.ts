import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Entity } from "../../../src/model/state.ts";
import { redacted, revealed } from "../../../src/run/snapshot/redact.ts";
import type { Snapshot, SnapshotEntry } from "../../../src/run/snapshot/snapshot.ts";
import { forAll } from "../../laws/law.ts";
import { urn } from "../../support/states.ts";

const word = fc.stringMatching(/^[a-z0-9+]{1,8}$/);
const address = fc.tuple(word, word).map(([user, host]) => `${user}@${host}.com`);
const said = fc.oneof(
  address,
  word,
  fc.string({ minLength: 1 }),
  fc.tuple(word, address).map((both) => both.join(" to ")),
);

const people = fc.record({ id: fc.oneof(address, word), name: said, about: said });

function entryOf(entity: JsonObject | null): SnapshotEntry {
  return { answers: { ReadDefinitions: { exists: true, entity } } };
}

function aspectsIn(entry: SnapshotEntry | undefined): readonly { readonly payload: string }[] {
  const entity = entry?.answers["ReadDefinitions"]?.entity as JsonObject | undefined;
  return (entity?.["aspects"] ?? []) as unknown as readonly { readonly payload: string }[];
}

function snapshotOf(persons: readonly { id: string; name: string; about: string }[]): Snapshot {
  const entities = persons.map(({ id, name, about }) => {
    const info = { displayName: name.trim(), active: true, managerUrn: `urn:li:corpuser:${id}` };
    const aspects = [
      { aspectName: "corpUserInfo", payload: JSON.stringify(info) },
      { aspectName: "corpUserEditableInfo", payload: JSON.stringify({ aboutMe: about.trim() }) },
    ];
    return [`urn:li:corpuser:${id}`, entryOf({ urn: `urn:li:corpuser:${id}`, aspects })] as const;
  });
  const sorted = entities.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const header = {
    formatVersion: "2",
    tool: "t",
    createdAt: "2026-01-01T00:00:00.000Z",
    target: "x",
  } as const;
  return { ...header, definitions: [], entities: Object.fromEntries(sorted) };
}

function declaring(persons: readonly { id: string; name: string; about: string }[]): Entity[] {
  return persons.map(({ id, name, about }) => ({
    urn: urn(`urn:li:corpuser:${id}`),
    kind: "User",
    facets: new Map([
      ["display_name", { shape: "scalar", value: name.trim() }],
      ["description", { shape: "scalar", value: about.trim() }],
    ]),
  }));
}

test("what is redacted is there again where manifests declare all of it", () => {
  forAll(fc.uniqueArray(people, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }), (persons) => {
    const snapshot = snapshotOf(persons);
    const state = new Map(declaring(persons).map((entity) => [entity.urn, entity]));
    expect(revealed(redacted(snapshot), [state])).toEqual({ ...snapshot, redacted: true });
  });
});

test.each([
  "urn:li:corpuser:alice%40acme.com",
  "urn:li:corpuser:o'brien@acme.com",
  "see https://acme.com/u?m=o'brien%40acme.com",
  "mail 'alice@acme.com' or <alice@acme.com>",
])("no address is left of %s, and the manifests that declare it find it again", (text) => {
  const snapshot = snapshotOf([{ id: "x", name: "X", about: "" }]);
  const named = { ...snapshot, entities: { [text]: entryOf(null) } };
  const hidden = redacted(named);

  expect(Object.keys(hidden.entities).join(" ")).not.toMatch(/alice|brien|o'/);
  const entity: Entity = {
    urn: urn("urn:li:tag:a"),
    kind: "Tag",
    facets: new Map([["name", { shape: "scalar", value: text }]]),
  };
  expect(revealed(hidden, [new Map([[entity.urn, entity]])]).entities).toEqual(named.entities);
});

test("the number of a department is replaced by another number, and the manifest that declares it finds it again", () => {
  const of = "urn:li:corpuser:x";
  const payload = (id: unknown): string => JSON.stringify({ active: true, departmentId: id });
  const snapshot = snapshotOf([]);
  const aspects = [{ aspectName: "corpUserInfo", payload: payload(4711) }];
  const entities = { [of]: entryOf({ urn: of, aspects }) };
  const hidden = redacted({ ...snapshot, entities });

  const [aspect] = aspectsIn(hidden.entities[of]);
  const { departmentId, active } = JSON.parse(aspect?.payload ?? "") as Record<string, unknown>;
  expect({ active, type: typeof departmentId }).toEqual({ active: true, type: "number" });
  expect(departmentId).not.toBe(4711);
  const entity: Entity = {
    urn: urn(of),
    kind: "User",
    facets: new Map([["department_id", { shape: "scalar", value: 4711 }]]),
  };
  expect(revealed(hidden, [new Map([[entity.urn, entity]])]).entities).toEqual(entities);
  expect(revealed(hidden, []).entities).toEqual(hidden.entities);
});

test("a redacted snapshot holds no address, and of a profile no text", () => {
  forAll(fc.array(people, { minLength: 1, maxLength: 4 }), (persons) => {
    const { entities } = redacted(snapshotOf(persons));
    const text = JSON.stringify(entities);
    expect(text).not.toMatch(/\w@\w/);
    const values = Object.values(entities).flatMap(aspectsIn);
    for (const { payload } of values) {
      const { displayName = "", aboutMe = "" } = JSON.parse(payload) as {
        displayName?: string;
        aboutMe?: string;
      };
      for (const each of [displayName, aboutMe])
        expect(each).toMatch(/^(?:redacted-[0-9a-f]{16}|urn:li:.*)?$/);
    }
  });
});
