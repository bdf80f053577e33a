import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleFile } from "../../src/cli/demo/demo-catalog.ts";
import { startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/catalog-views.md"), "utf8");

/** The words of the first command in the page whose comment has this text. */
function commandFor(question: string): readonly string[] {
  const [, words = ""] = new RegExp(`^datahub-gitops (.*?) +# .*${question}`, "m").exec(page) ?? [];
  return words.split(" ").map((word) => word.replaceAll("'", ""));
}

test("a steward's three questions are answered by one command each, on the sample data", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(sampleFile);
  const ask = async (question: string): Promise<readonly string[]> => {
    const argv = [...commandFor(question), "--format", "csv", "--server", catalog.url];
    const { code, stdout } = await runCli(argv, { cwd: temporaryDirectory() });
    expect({ argv, code }).toEqual({ argv, code: 0 });
    return stdout.trimEnd().split("\r\n").slice(1);
  };
  const unowned = await ask("which datasets have no owner");
  const owned = await ask("who owns what");
  expect({ unowned: unowned.length, owned: owned.length }).toEqual({ unowned: 7, owned: 37 });
  expect(owned.find((line) => line.includes("shop.orders.placed"))).toContain(
    "urn:li:corpGroup:order-team (TECHNICAL_OWNER)",
  );

  expect(await ask("which columns are PII")).toEqual([]);
  const customers = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customers,PROD)";
  const query = `mutation { unsetDomain(entityUrn: "${customers}") }`;
  const headers = { "content-type": "application/json" };
  await fetch(`${catalog.url}/api/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const found = await ask("which columns are PII");
  expect(found).toHaveLength(1);
  for (const text of [customers, "email", "urn:li:tag:pii"]) expect(found[0]).toContain(text);
});
