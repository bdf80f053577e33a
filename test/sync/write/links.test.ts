import { expect, onTestFinished, test } from "vitest";
import { createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { propose } from "../../../src/sync/write/propose.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { urn } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

const alice = urn("urn:li:corpuser:alice");

/** What is said of a write that the server refuses with this message. */
async function refused(
  message: string,
  stored: JsonObject,
  set: Readonly<Record<string, Json>>,
): Promise<string | undefined> {
  const server = await startStub((request, response) => {
    if (request.text === "") {
      const aspects = { corpUserEditableInfo: { value: stored, systemMetadata: { version: "3" } } };
      return { urn: alice, aspects };
    }
    response.statusCode = 422;
    return { message };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url));
  return propose(aspects, { type: "proposal", urn: alice, aspect: "corpUserEditableInfo", initial: {}, set });
}

const link = "http://example.org/a.png";
const ofLinks = "Invalid URL: only https is allowed";

test("a refusal for a stored link that is written back names the link", async () => {
  const error = await refused(ofLinks, { aboutMe: "old", pictureLink: link }, { aboutMe: "new" });
  expect(error).toBe(
    `${ofLinks} (these links were already stored, and newer servers accept only https links: pictureLink ${link})`,
  );
});

test.each(["invalid url", "two urls", "a link", "bad links", "only http", "HTTPS only"])(
  "a refusal that says %j names all stored links",
  async (message) => {
    const stored = { pictureLink: link, other: "HTTP://b", text: "t" };
    expect(await refused(message, stored, { aboutMe: "new" })).toContain(
      `https links: pictureLink ${link}, other HTTP://b)`,
    );
  },
);

test.each<readonly [string, string, JsonObject, Readonly<Record<string, Json>>]>([
  [
    "for a stored link that the manifest replaces",
    ofLinks,
    { pictureLink: link },
    { pictureLink: "http://b" },
  ],
  ["for a link within a stored text", ofLinks, { note: `see ${link}` }, { aboutMe: "new" }],
  ["for a list of links", ofLinks, { links: [link] }, { aboutMe: "new" }],
  ["about curls", "curls and hyperlinked", { pictureLink: link }, { aboutMe: "new" }],
  ["about something else", "no privilege", { pictureLink: link }, { aboutMe: "new" }],
  ["for a link that the manifest sets", ofLinks, { pictureLink: "https://a" }, { pictureLink: link }],
  ["for no link that is stored", ofLinks, { pictureLink: "https://a" }, { aboutMe: "new" }],
])("a refusal %s is passed on as it is", async (_, message, stored, set) => {
  expect(await refused(message, stored, set)).toBe(message);
});
