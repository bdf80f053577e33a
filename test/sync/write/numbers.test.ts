import { expect, onTestFinished, test } from "vitest";
import { createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { parseJson } from "../../../src/datahub/json-text.ts";
import { propose } from "../../../src/sync/write/propose.ts";
import type { Json } from "../../../src/model/json.ts";
import { urn } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

const alice = urn("urn:li:corpuser:alice");

/** The text of the aspect that is written after this one was read, and what went wrong. */
async function written(
  stored: string,
  set: Readonly<Record<string, Json>>,
): Promise<{ readonly text: string | undefined; readonly error: string | undefined }> {
  let text: string | undefined;
  const server = await startStub((request, response) => {
    if (request.text === "") {
      const around = '"systemMetadata":{"version":"3"}';
      response.setHeader("content-type", "application/json");
      response.end(`{"urn":"${alice}","aspects":{"corpUserInfo":{"value":${stored},${around}}}}`);
      return undefined;
    }
    const body = JSON.parse(request.text) as { proposal: { aspect: { value: string } } };
    text = body.proposal.aspect.value;
    return { value: alice };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url));
  const proposal = { type: "proposal", urn: alice, aspect: "corpUserInfo", initial: {}, set } as const;
  return { error: await propose(aspects, proposal), text };
}

test.each([
  "9007199254740993",
  "-9223372036854775808",
  "1e400",
  "-1.5E+999",
  "0",
  "-7",
  "0.1",
  "12.5",
  "9007199254740991",
])("the number %s is written back as it was", async (number) => {
  const { text, error } = await written(`{"active":true,"x":[${number},{"y":${number}}]}`, { title: "new" });
  expect(error).toBeUndefined();
  expect(text).toBe(`{"active":true,"x":[${number},{"y":${number}}],"title":"new"}`);
});

test("a large number can be replaced, and a text of digits stays a text", async () => {
  const { text } = await written('{"departmentId":9007199254740993,"x":"9007199254740993"}', {
    departmentId: 7,
  });
  expect(text).toBe('{"departmentId":7,"x":"9007199254740993"}');
});

test("what is in strings is no number and no nesting", async () => {
  const stored = String.raw`{"a":"\"9007199254740993\\","b":"[[[{{{","\\":"1e400"}`;
  const { text } = await written(stored, { c: true });
  expect(text).toBe(String.raw`{"a":"\"9007199254740993\\","b":"[[[{{{","\\":"1e400","c":true}`);
});

test("an aspect that is nested absurdly deep is not written, and the failure says so", async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  await expect(written(deep, { title: "new" })).rejects.toThrow("nested deeper than 200 levels");
});

test("a number that cannot be held is read as its digits", () => {
  expect(parseJson('{"a":9007199254740993,"b":[1e400,2]}')).toEqual({
    a: "9007199254740993",
    b: ["1e400", 2],
  });
  expect(() => parseJson("[01]")).toThrow(SyntaxError);
  expect(() => parseJson("[1-2]")).toThrow(SyntaxError);
});
