import { once } from "node:events";
import { expect, test } from "vitest";
import { call, change, type RestAnswer } from "./rest.ts";
import { served } from "./served.ts";
import { catalogWith, send, temporaryDirectory } from "./support.ts";

// No file of the process may grow beyond this many blocks of 512 bytes; a write beyond fails as on a full disk,
// once the signal that would end the process is ignored.
const withinLimit = "trap '' XFSZ; ulimit -f 4000;";

test("when the disk is full a write is rejected with 507, nothing of it is stored, and reads still work", async () => {
  const dataDir = temporaryDirectory();
  const server = await served(dataDir, withinLimit);
  const text = "x".repeat(100_000);
  const put = (index: number): Promise<RestAnswer> =>
    call(server, "POST", "/aspects?action=ingestProposalBatch", {
      proposals: [
        change(`urn:li:tag:small-${index}`, "status", { removed: false }),
        change(`urn:li:tag:large-${index}`, "tagProperties", { name: text }),
      ],
    });

  let stored = 0;
  let refused = await put(stored);
  while (refused.status === 200 && stored < 100) refused = await put((stored += 1));
  expect(stored).toBeGreaterThan(2);
  expect(refused).toMatchObject({
    status: 507,
    body: { status: 507, message: expect.stringContaining("The catalog cannot write to its storage") },
  });
  const openapi = await call(server, "POST", "/openapi/v3/entity/tag?async=false", [
    { urn: "urn:li:tag:openapi", tagProperties: { value: { name: text } } },
  ]);
  expect(openapi).toMatchObject({ status: 507, body: { message: expect.any(String) } });
  const mutation = `mutation ($text: String!) { createTag(input: { id: "graphql", name: $text }) }`;
  const answered = await send(server, mutation, { text });
  expect([answered.data, answered.errors?.[0]?.extensions["code"]]).toEqual([
    expect.toBeOneOf([null, { createTag: null }]),
    500,
  ]);

  expect(
    (await call(server, "GET", `/aspects/urn:li:tag:large-0?aspect=tagProperties&version=0`)).status,
  ).toBe(200);
  for (const urn of [`urn:li:tag:small-${stored}`, "urn:li:tag:openapi", "urn:li:tag:graphql"])
    expect((await call(server, "GET", `/aspects/${urn}?aspect=tagKey&version=0`)).status).toBe(404);
  server.child.kill("SIGKILL");
  await once(server.child, "exit");

  const catalog = await catalogWith([], { dataDir });
  const urns = new Set(catalog.dump().map(({ urn }) => urn));
  for (let index = 0; index < stored; index += 1)
    expect([urns.has(`urn:li:tag:small-${index}`), urns.has(`urn:li:tag:large-${index}`)]).toEqual([
      true,
      true,
    ]);
  expect(urns).not.toContain(`urn:li:tag:small-${stored}`);
  const more = await call(catalog, "POST", "/aspects?action=ingestProposal", {
    proposal: change("urn:li:tag:after", "tagProperties", { name: text }),
  });
  expect(more.status).toBe(200);
});
