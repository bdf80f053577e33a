import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { refusing } from "../support/refusing.ts";
import { type Site, siteWith } from "../support/site.ts";

// The order of writes is in `test/plan/order/operations.test.ts`, and what waits for a failed one in `test/sync/write/execute.test.ts`.

const domainAt = (id: string, parent?: string): MadeAspect => [
  `urn:li:domain:${id}`,
  "domainProperties",
  { name: id, ...(parent !== undefined && { parentDomain: `urn:li:domain:${parent}` }) },
];

interface Applied {
  readonly code: number;
  readonly outcomes: readonly Readonly<Record<string, string>>[];
}

/** Applies to a server that refuses some writes. */
async function applied(site: Site, isRefused: (write: string) => boolean): Promise<Applied> {
  const server = await refusing(site.catalog.url, isRefused);
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { code, stdout } = await runCli(argv, { cwd: site.root });
  return { code, ...(JSON.parse(stdout) as Pick<Applied, "outcomes">) };
}

test("what waits for a write that is refused stays as it is, and a later apply does all of it", async () => {
  const manifest = [
    "- { kind: Domain, id: a, parent_domain: c }",
    "- { kind: Domain, id: b, parent_domain: d }",
    "- { kind: Group, id: g, display_name: G }",
  ];
  const site = await siteWith({ "all.yaml": `${manifest.join("\n")}\n` }, "version: 1\n");
  const live = [domainAt("a"), domainAt("b", "a"), domainAt("c", "b"), domainAt("d")];
  await site.catalog.load(metadataFile(temporaryDirectory(), live));

  const first = await applied(
    site,
    (write) => write.includes('"entityUrn":"urn:li:domain:b"') || write.includes('"aspectName":"origin"'),
  );

  expect(first.code).toBe(7);
  const failed = { status: "failed", error: expect.any(String) };
  expect(first.outcomes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...failed, urn: "urn:li:domain:b" }),
      expect.objectContaining({
        status: "skipped",
        urn: "urn:li:domain:a",
        because: "it depends on a change to urn:li:domain:b, which failed",
      }),
      expect.objectContaining({ ...failed, operation: "ingestProposal origin" }),
      expect.objectContaining({ status: "skipped", operation: "ingestProposal corpGroupInfo" }),
    ]),
  );
  expect(site.catalog.aspects().filter(({ urn }) => urn === "urn:li:corpGroup:g")).toEqual([]);

  expect(await applied(site, () => false)).toMatchObject({ code: 0 });
  const parents = ["a", "b", "c"].map((id) => site.aspect(`urn:li:domain:${id}`, "domainProperties"));
  expect(parents).toMatchObject(["c", "d", "b"].map((id) => ({ parentDomain: `urn:li:domain:${id}` })));
  expect(site.aspect("urn:li:corpGroup:g", "origin")).toEqual({ type: "NATIVE" });
});
