import { parse } from "graphql";
import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { Json } from "../../../src/model/json.ts";
import { edgeSets } from "../../../src/facets/index.ts";
import {
  featureFlagDocument,
  featureFlagDocuments,
  readFeatureFlag,
} from "../../../src/run/read/feature-flags.ts";

/** What is read of the flag `on`, and how many requests that takes, where a server has these flags. */
async function flagOf(
  flags: readonly string[],
  answer: Answer,
): Promise<{ readonly value: boolean | undefined; readonly requests: number }> {
  let requests = 0;
  const query: Reader["query"] = async (document) => {
    requests += 1;
    if (document === featureFlagDocument("on")) return answer;
    return { data: { __type: { fields: flags.map((name) => ({ name })) } }, errors: [] };
  };
  const reader: Reader = { concurrency: 1, query, stored: { read: async () => "unknown" } };
  return { value: await readFeatureFlag(reader, "on"), requests };
}

const answered = (featureFlags: Json): Answer => ({ data: { appConfig: { featureFlags } }, errors: [] });

test.each([true, false])("a flag is what the server says: %s", async (on) => {
  expect(await flagOf(["other", "on"], answered({ on }))).toEqual({ value: on, requests: 2 });
});

test("a flag that the server does not have is off, and not asked for", async () => {
  expect(await flagOf(["other"], answered({ on: true }))).toEqual({ value: false, requests: 1 });
});

test("where introspection is off a flag is not known, and not asked for", async () => {
  expect(await flagOf([], answered({ on: true }))).toEqual({ value: undefined, requests: 1 });
});

const silent = "the answer of the server does not include it";

test.each<readonly [string, Answer, string]>([
  ["refused", { data: null, errors: [{ message: "Unauthorized" }] }, "Unauthorized"],
  ["answered without settings", { data: { appConfig: null }, errors: [] }, silent],
  ["answered without flags", answered(null), silent],
  ["answered as no flag", answered({ on: "yes" }), silent],
])("a flag that is %s cannot be read", async (_, answer, reason) => {
  await expect(flagOf(["on"], answer)).rejects.toMatchObject({
    failure: "answer",
    message: `the setting on of the server could not be read: ${reason}`,
  });
});

test("a plan can ask for the flags of all edges that depend on one", () => {
  const flags = edgeSets.flatMap(({ exclusive }) => (exclusive ? [exclusive.unless] : []));
  const documents = [...featureFlagDocuments];
  expect(documents.filter((document) => document.startsWith("query ReadFeatureFlag"))).toEqual(
    flags.map(featureFlagDocument),
  );
  expect(documents).toHaveLength(flags.length + 1);
  for (const document of documents) expect(() => parse(document)).not.toThrow();
});
