import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entity } from "../../src/model/state.ts";
import { redacted, revealed } from "../../src/snapshot/redact.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";
import { forAll } from "../laws/law.ts";
import { urn } from "../support/states.ts";

const word = fc.stringMatching(/^[a-z0-9+]{1,8}$/);
const address = fc.tuple(word, word).map(([user, host]) => `${user}@${host}.com`);
const said = fc.oneof(
  address,
  word,
  fc.string({ minLength: 1 }),
  fc.tuple(word, address).map((both) => both.join(" to ")),
);

const people = fc.record({ id: fc.oneof(address, word), name: said, about: said });

function snapshotOf(persons: readonly { id: string; name: string; about: string }[]): Snapshot {
  const entities = persons.map(({ id, name, about }) => {
    const info = { displayName: name.trim(), active: true, managerUrn: `urn:li:corpuser:${id}` };
    const aspects = [
      { aspectName: "corpUserInfo", payload: JSON.stringify(info) },
      { aspectName: "corpUserEditableInfo", payload: JSON.stringify({ aboutMe: about.trim() }) },
    ];
    return [
      `urn:li:corpuser:${id}`,
      { exists: true, entity: { urn: `urn:li:corpuser:${id}`, aspects } },
    ] as const;
  });
  const sorted = entities.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const header = {
    formatVersion: "1",
    tool: "t",
    createdAt: "2026-01-01T00:00:00.000Z",
    target: "x",
  } as const;
  return { ...header, fields: [], entities: Object.fromEntries(sorted) };
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

test("a redacted snapshot holds no address, and of a profile no text", () => {
  forAll(fc.array(people, { minLength: 1, maxLength: 4 }), (persons) => {
    const { entities } = redacted(snapshotOf(persons));
    const text = JSON.stringify(entities);
    expect(text).not.toMatch(/\w@\w/);
    const values = Object.values(entities).flatMap(
      ({ entity }) => entity?.["aspects"] as { payload: string }[],
    );
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
