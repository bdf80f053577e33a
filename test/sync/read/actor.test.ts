import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { readActor } from "../../../src/sync/read/actor.ts";
import { askingCatalog } from "./asking.ts";

/** A reader of a server that answers this, whatever it is asked. */
const answering = (data: JsonObject | null, ...errors: readonly string[]): Reader => {
  const answer: Answer = { data, errors: errors.map((message) => ({ message })) };
  return { query: async () => await Promise.resolve(answer) } as unknown as Reader;
};

test("the user of the token is what the server says it is", async () => {
  const { reader, asked } = await askingCatalog([]);
  expect(await readActor(reader)).toBe("urn:li:corpuser:datahub");
  expect(asked).toEqual([["ReadActor"]]);
});

test.each<readonly [string, JsonObject | null]>([
  ["nothing", null],
  ["no user", {}],
  ["something else", { me: "alice" }],
  ["a user of nobody", { me: { corpUser: null } }],
  ["a user without a URN", { me: { corpUser: { urn: "alice" } } }],
])("where the server answers %s the user is not known", async (_, data) => {
  await expect(readActor(answering(data))).rejects.toMatchObject({
    failure: "answer",
    message: "could not determine which user the token belongs to: the response contains no user",
  });
});

test("what the server says of it is told, and what follows from it", async () => {
  await expect(
    readActor(answering(null, "busy", "later"), undefined, ", so nothing is sent"),
  ).rejects.toThrow("could not determine which user the token belongs to, so nothing is sent: busy");
});

test("a user that is known counts, whatever else could not be read", async () => {
  const reader = answering({ me: { corpUser: { urn: "urn:li:corpuser:alice" } } }, "busy");
  expect(await readActor(reader)).toBe("urn:li:corpuser:alice");
});

test("nothing is asked after a signal", async () => {
  const { reader } = await askingCatalog([]);
  await expect(readActor(reader, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
});
