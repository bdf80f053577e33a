import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { proposalsOf, siteWith } from "../support/site.ts";
import type { StubRequest } from "../support/stub-server.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const message = "Failed to add after 4 retries due to transaction conflict";

/** What DataHub answers where other transactions won: over REST (RestliUtils.java, pull request #18650). */
function lostRest(_: StubRequest, response: ServerResponse): object {
  response.statusCode = 503;
  response.setHeader("retry-after", "0");
  return { status: 503, code: "DATABASE_TRANSACTION_CONFLICT", message };
}

/** The same by GraphQL (DataHubDataFetcherExceptionHandler.java): with HTTP 200. */
function lostGraphql(_: StubRequest, response: ServerResponse): object {
  response.setHeader("retry-after", "0");
  const error = { message, path: ["o0"], extensions: { code: 503, type: "SERVICE_UNAVAILABLE" } };
  return { data: { o0: null }, errors: [error] };
}

test.each([
  ["a proposal", "{ kind: Tag, id: t, description: new }", lostRest],
  ["a mutation", "{ kind: Dataset, platform: snowflake, name: orders, tags: [t] }", lostGraphql],
] as const)(
  "%s that lost against another transaction is read again and sent again",
  async (_, text, lost) => {
    const site = await siteWith({ "all.yaml": text });
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [
        ["urn:li:tag:t", "tagProperties", { name: "t" }],
        [orders, "status", { removed: false }],
      ]),
    );
    let losses = 0;
    const url = await inFrontOf(site.catalog.url, async (request, response) => {
      const isWrite =
        request.query.startsWith("mutation") || proposalsOf(JSON.parse(request.text || "{}")).length > 0;
      if (!isWrite || losses === 2) return undefined;
      losses += 1;
      // What won changed the same aspects.
      await site.edit(`setTagColor(urn: "urn:li:tag:t", colorHex: "#00000${losses}")`);
      return lost(request, response);
    });

    const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", url], { cwd: site.root });

    expect({ losses, code, stdout }).toMatchObject({ losses: 2, code: 0 });
    expect(site.aspect("urn:li:tag:t", "tagProperties")).toMatchObject({ colorHex: "#000002" });
    const changed =
      lost === lostRest ? site.aspect("urn:li:tag:t", "tagProperties") : site.aspect(orders, "globalTags");
    expect(JSON.stringify(changed)).toContain(lost === lostRest ? '"description":"new"' : "urn:li:tag:t");
  },
);
