import { expect, test } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import { scalarOf } from "../../../src/model/state.ts";
import { redacted, revealed } from "../../../src/sync/snapshot/redact.ts";
import type { Snapshot, SnapshotEntry } from "../../../src/sync/snapshot/snapshot.ts";
import { entityOf, stateOf, urn } from "../../support/states.ts";

const user = urn("urn:li:corpuser:x");

function snapshotOf(entry: SnapshotEntry): Snapshot {
  return {
    formatVersion: "2",
    tool: "t",
    createdAt: "2026-01-01T00:00:00.000Z",
    target: "x",
    definitions: [],
    entities: { [user]: entry },
  };
}

/** A snapshot in which the profile of a user is this text. */
function profiled(payload: string): Snapshot {
  const aspects = [{ aspectName: "corpUserInfo", payload }];
  return snapshotOf({ answers: { ReadDefinitions: { entity: { aspects } } } });
}

function payloadIn({ entities }: Snapshot): string {
  const entity = entities[user]?.answers["ReadDefinitions"]?.entity as Json as {
    readonly aspects: readonly { readonly payload: string }[];
  };
  return entity.aspects[0]?.payload ?? "";
}

const digits = "12345678901234567890";

test("of a number of a profile that is too large to be exact the digits are replaced, and it stays too large", () => {
  const hidden = payloadIn(redacted(profiled(`{"departmentId":${digits}}`)));
  expect(hidden).toMatch(/^\{"departmentId":\d{20}\}$/);
  expect(hidden).not.toContain(digits);
  expect(payloadIn(redacted(profiled(`{"departmentId":${digits}1}`)))).not.toBe(hidden);
});

test("values are found by hashes that an earlier version wrote", () => {
  const old = {
    ...profiled('{"title":"redacted-62eb86cd4d677474","departmentId":46441367180599}'),
    redacted: true,
  } as const;
  const facets = { title: scalarOf(" Boss "), department_id: scalarOf(4711) };
  const declared = entityOf("User", user, facets);
  expect(payloadIn(revealed(old, [stateOf(declared)]))).toBe('{"title":"Boss","departmentId":4711}');
});

test("what answers say beside aspects is kept, and of stored aspects those of people are replaced", () => {
  const value = { title: "Boss", active: true };
  const entry = {
    answers: { ReadNames: { exists: true, entity: { name: "Orders", total: 3 } } },
    stored: { globalTags: { value: { context: "Boss" } }, corpUserInfo: { value } },
  };
  expect(redacted(snapshotOf(entry)).entities[user]).toEqual({
    ...entry,
    stored: {
      ...entry.stored,
      corpUserInfo: { value: { ...value, title: expect.stringMatching(/^redacted-[0-9a-f]{16}$/) } },
    },
  });
});
