import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Entity } from "../../../src/model/state.ts";
import { redacted, revealed } from "../../../src/sync/snapshot/redact.ts";
import type { Snapshot, SnapshotEntry } from "../../../src/sync/snapshot/snapshot.ts";
import { forAll } from "../../laws/law.ts";
import { urn } from "../../support/states.ts";
import { counted } from "../../support/runs.ts";

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

test("what is redacted is there again where manifests declare all of it", counted, () => {
  forAll(fc.uniqueArray(people, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }), 400, (persons) => {
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

test("a redacted snapshot holds no address, and of a profile no text", counted, () => {
  forAll(fc.array(people, { minLength: 1, maxLength: 4 }), 400, (persons) => {
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

const hash = /redacted-[0-9a-f]{16}/g;

/** The aspects of an entity after redaction, with the number of each hash in place of it. */
function redactedAspects(
  aspects: readonly { readonly aspectName: string; readonly payload: string }[],
): Json {
  const numbers = new Map<string, number>();
  const numbered = (text: string): string =>
    text.replaceAll(hash, (each) => {
      numbers.set(each, numbers.get(each) ?? numbers.size + 1);
      return `#${numbers.get(each)}`;
    });
  const { entities } = redacted({ ...snapshotOf([]), entities: { a: entryOf({ aspects }) } });
  return JSON.parse(numbered(JSON.stringify(aspectsIn(entities["a"])))) as Json;
}

test.each<readonly [string, string, string]>([
  [
    "a text of a profile, without the spaces around it",
    '{"title":"Boss","displayName":" Boss "}',
    '{"title":"#1","displayName":"#1"}',
  ],
  [
    "no text that is empty or a URN",
    '{"a":" ","b":"","managerUrn":"urn:li:corpuser:b"}',
    '{"a":" ","b":"","managerUrn":"urn:li:corpuser:b"}',
  ],
  [
    "each text of a list and of an object in a profile",
    '{"teams":["A","B"],"of":{"c":"A"}}',
    '{"teams":["#1","#2"],"of":{"c":"#1"}}',
  ],
  ["no other scalar", '{"active":true,"none":null}', '{"active":true,"none":null}'],
])("of people redaction replaces %s", (_, payload, expected) => {
  expect(redactedAspects([{ aspectName: "corpUserInfo", payload }])).toEqual([
    { aspectName: "corpUserInfo", payload: expected },
  ]);
});

test("of what is not of people redaction replaces whole addresses, and no other text or number", () => {
  const payload = '{"about":"mail a.b@acme.com, c@d.e","id":4711}';
  const broken = { aspectName: "corpUserInfo", payload: "{" };
  expect(redactedAspects([{ aspectName: "tagProperties", payload }, broken])).toEqual([
    { aspectName: "tagProperties", payload: '{"about":"mail #1, #2","id":4711}' },
    { ...broken, payload: "#3" },
  ]);
});

test("URNs are redacted everywhere, and entities stay in the order of their URNs", () => {
  const [zoe, adam] = ["urn:li:corpuser:zoe@acme.com", "urn:li:corpuser:adam@acme.com"];
  const snapshot: Snapshot = {
    ...snapshotOf([]),
    found: [{ type: "USER", anyOf: [], urns: [zoe] }],
    definitions: [{ type: "corpuser", urns: [adam, zoe], softDeleted: [adam] }],
    entities: { [adam]: entryOf(null), [zoe]: entryOf(null), "urn:li:tag:a": entryOf(null) },
  };
  const { found, definitions, entities, redacted: isRedacted } = redacted(snapshot);
  const [list] = definitions;
  expect([...(list?.urns ?? []), ...(list?.softDeleted ?? []), ...(found?.[0]?.urns ?? [])]).toSatisfy(
    (urns: readonly string[]) => urns.every((each) => /^urn:li:corpuser:redacted-[0-9a-f]{16}$/.test(each)),
  );
  expect(list?.urns[0]).toBe(list?.softDeleted[0]);
  expect(Object.keys(entities)).toEqual([...(list?.urns ?? []), "urn:li:tag:a"].toSorted());
  expect(isRedacted).toBe(true);
  expect(redacted(snapshotOf([]))).toEqual({ ...snapshotOf([]), redacted: true });
});

test("in what was found by filters no address is left, and who names it finds it again", () => {
  const anyOf = [[{ field: "container", values: ["urn:li:container:of.alice@acme.com"] }]];
  const snapshot = { ...snapshotOf([]), found: [{ type: "DATASET", anyOf, urns: [] }] };
  const hidden = redacted(snapshot);
  expect(JSON.stringify(hidden)).not.toContain("alice");
  expect(revealed(hidden, ["of.alice@acme.com"])).toEqual({ ...snapshot, redacted: true });
});

test("a snapshot that is not redacted is revealed as it is", () => {
  const snapshot = snapshotOf([{ id: "x", name: "X", about: "redacted-0123456789abcdef" }]);
  expect(revealed(snapshot, ["X"])).toBe(snapshot);
});
