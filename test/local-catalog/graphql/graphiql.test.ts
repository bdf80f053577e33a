import { describe, expect, test } from "vitest";
import { catalogWith, sharedCatalog } from "../support.ts";

const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("a browser gets GraphiQL without a token", () => {
  const catalog = sharedCatalog([], { auth: true, token: "the-token-of-this-test" });
  test.each(["/", "/api/graphql", "/api/graphql/", "/api/gms/api/graphql"])("%s", async (path) => {
    const response = await fetch(catalog().url + path, { headers: html });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Content-Security-Policy")).toContain("connect-src 'self'");
    const page = await response.text();
    // Compared by parts: a failure would print nine megabytes.
    expect(page.includes("Bearer TOKEN")).toBe(true);
    expect(page.includes("the-token-of-this-test")).toBe(false);
    const frame = page.slice(0, page.indexOf("<style>")) + page.slice(page.lastIndexOf("</script>"));
    expect(frame).toMatch(/^\s*<!doctype html>/);
    expect(frame.replace(/data:[^"]+/g, "data:")).not.toMatch(/(src|href)="(?!data:)/);
  });

  test("and nothing else", async () => {
    const elsewhere = await fetch(`${catalog().url}/aspects/urn:li:tag:x`, { headers: html });
    expect(elsewhere.status).toBe(401);
    const sent = await fetch(`${catalog().url}/api/graphql`, { method: "POST", headers: html, body: "{}" });
    expect(sent.status).toBe(401);
  });
});

test("without authentication the page does not mention a token", async () => {
  const { url } = await catalogWith();
  const page = await (await fetch(url, { headers: html })).text();
  expect(page.includes("Bearer TOKEN")).toBe(false);
});

test("a request that does not accept HTML does not get the page", async () => {
  const { url } = await catalogWith();
  expect((await fetch(`${url}/api/graphql`)).status).toBe(500);
  expect((await fetch(url)).status).toBe(404);
});
