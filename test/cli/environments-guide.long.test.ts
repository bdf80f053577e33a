import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCatalog } from "../support/catalog.ts";
import { testRepository } from "../support/git-repository.ts";
import { shellOf } from "../support/guide.ts";
import { tag } from "../support/history.ts";
import { inCatalog } from "../support/site.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/environments.md"), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, block = ""]) => block);

test("the settings and the commands of the guide work in order, from one environment to the next", async () => {
  const [dev, prod] = [await startTestCatalog(), await startTestCatalog()];
  const site = testRepository();
  const remote = testRepository();
  site.git("remote", "add", "origin", remote.root);
  remote.git("symbolic-ref", "HEAD", "refs/heads/elsewhere");
  const [settings = ""] = blocksOf("yaml");
  const text = settings
    .replace("https://datahub-dev.acme.com/api/gms", dev.url)
    .replace("https://datahub.acme.com/api/gms", prod.url);
  const files = {
    "shared/a.yaml": tag("a"),
    "dev/b.yaml": tag("b", "in dev"),
    "prod/b.yaml": tag("b", "in prod"),
  };
  const first = site.commit(inCatalog({ "datahub-gitops.yaml": text, ...files }));
  for (const name of ["dev", "prod"]) site.git("update-ref", `refs/datahub-gitops/${name}`, first);
  site.commit(inCatalog({ "shared/c.yaml": tag("c") }));
  const env = { DEV_URL: dev.url, PROD_URL: prod.url, DATAHUB_GMS_TOKEN: "" };
  const run = await shellOf(site.root, env);
  const blocks = blocksOf("sh");
  expect(blocks).toHaveLength(5);
  const [check = "", toDev = "", compare = "", toProd = "", drift = ""] = blocks;

  expect(await run(check)).toMatch(/^Valid: dev with .*, prod with .*\n[^]*Plan: 3 to create/);
  await run(toDev);
  expect(await run(compare)).toMatch(/ catalog\/shared\/c\.yaml [^]*Plan: 3 to create/);
  expect(existsSync(join(site.root, "prod.json"))).toBe(true);
  await run(toProd);
  const head = site.git("rev-parse", "HEAD");
  expect(remote.git("rev-parse", "refs/datahub-gitops/dev", "refs/datahub-gitops/prod")).toBe(
    `${head}\n${head}`,
  );
  expect(await run(drift)).not.toContain("will be");
  const described = (catalog: typeof dev): unknown =>
    catalog.aspects().find(({ urn, aspect }) => urn === "urn:li:tag:b" && aspect === "tagProperties")?.value;
  expect([described(dev), described(prod)]).toMatchObject([
    { description: "in dev" },
    { description: "in prod" },
  ]);
});
