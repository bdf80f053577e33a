import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCatalog } from "../../../src/local-catalog/server.ts";
import { catalogWith, finance, shop, temporaryDirectory } from "../support.ts";

const json = { "Content-Type": "application/json" };
const rename = JSON.stringify({
  query: `mutation { updateName(input: { name: "Mine", urn: "${finance}" }) }`,
});

/** Sends a request with headers that fetch does not let anybody set. */
function statusOf(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test.each(["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1.evil.example", "file://"])(
  "a page of the origin %s can neither write nor read, also without a token",
  async (origin) => {
    const catalog = await catalogWith(shop);
    for (const path of ["/api/graphql", "/aspects?action=ingestProposal", "/api/gms/openapi/v3/entity/tag"]) {
      expect(await statusOf(catalog.url + path, { ...json, origin }, rename)).toBe(403);
    }
    expect(catalog.stored(finance, "domainProperties")).toEqual({ name: "Finance" });
  },
);

test("the catalog's own page can write", async () => {
  const catalog = await catalogWith(shop);
  const own = { ...json, origin: catalog.url };
  expect(await statusOf(`${catalog.url}/api/graphql`, own, rename)).toBe(200);
  expect(catalog.stored(finance, "domainProperties")).toMatchObject({ name: "Mine" });
});

test.each(["/api/graphql", "/aspects?action=ingestProposal", "/openapi/v3/entity/tag"])(
  "a body that says that it has more than 64 MB is refused before it is read: %s",
  async (path) => {
    const { url } = await catalogWith();
    const status = await new Promise((resolve, reject) => {
      const headers = { ...json, "Content-Length": String(64 * 1024 * 1024 + 1) };
      const sent = request(url + path, { method: "POST", headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  },
);

test.each(["/api/graphql", "/aspects?action=ingestProposal"])(
  "a body that does not say its size is refused when it gets beyond 64 MB: %s",
  async (path) => {
    const { url } = await catalogWith();
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const status = await new Promise((resolve) => {
      const sent = request(url + path, { method: "POST", headers: json }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      // The server ends the connection while more is sent, so its answer may be lost.
      sent.on("error", () => resolve(413));
      // Enough to be refused, and no more than memory has.
      let left = 256;
      const more = (): void => {
        while (left > 0 && !sent.destroyed) {
          left -= 1;
          if (!sent.write(chunk)) return;
        }
      };
      sent.on("drain", more);
      more();
    });
    expect(status).toBe(413);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  },
);

test("a link as the file of the token is refused, and what it leads to stays as it is", async () => {
  const dataDir = temporaryDirectory();
  const elsewhere = join(temporaryDirectory(), "elsewhere");
  writeFileSync(elsewhere, "a-secret-of-another-program\n", { mode: 0o644 });
  symlinkSync(elsewhere, join(dataDir, "token"));
  await expect(startCatalog({ dataDir, port: 0, auth: true })).rejects.toThrow(/token is a symbolic link/);
  expect(lstatSync(elsewhere).mode & 0o777).toBe(0o644);
});

test("a link where the new token is written is not followed", async () => {
  const dataDir = temporaryDirectory();
  const elsewhere = join(temporaryDirectory(), "elsewhere");
  writeFileSync(elsewhere, "mine\n");
  symlinkSync(elsewhere, join(dataDir, "token.new"));
  const { token } = await catalogWith([], { dataDir, auth: true });
  expect(readFileSync(elsewhere, "utf8")).toBe("mine\n");
  expect(readFileSync(join(dataDir, "token"), "utf8").trim()).toBe(token);
});

test("a token that the catalog makes has hexadecimal digits only", async () => {
  expect((await catalogWith([], { auth: true })).token).toMatch(/^[0-9a-f]{64}$/);
});

test("a GraphQL answer without errors has empty extensions, as DataHub's has", async () => {
  const { url } = await catalogWith();
  const body = JSON.stringify({ query: "{ me { corpUser { urn } } }" });
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers: json, body });
  expect(await response.json()).toMatchObject({ data: {}, extensions: {} });
});
