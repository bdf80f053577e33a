import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import { queryFor, queryKey } from "../../../src/sync/snapshot/snapshot.ts";
import { memberships, urn } from "../../support/states.ts";

test.each<readonly [string, JsonObject, string]>([
  ["query ReadNames($urns: [String!]!) { a }", {}, "ReadNames"],
  ["query ReadMembers { a }", { start: 0 }, "ReadMembers"],
  ["query ReadMembers { a }", { start: 500 }, "ReadMembers 500"],
  ["query ReadMembers { a }", { start: "500" }, "ReadMembers"],
  ["{ a }", {}, ""],
  ["mutation Send { query ReadNames }", {}, ""],
])("answers to %s with %o are kept as '%s'", (document, variables, key) => {
  expect(queryKey(document, variables)).toBe(key);
});

test("one entity by itself is asked for by the field of its type, which only groups of members have", () => {
  expect(queryFor(urn("urn:li:corpGroup:a"))).toBe(memberships.storedByMembers.query);
  expect(queryFor(urn("urn:li:tag:a"))).toBe("");
});
