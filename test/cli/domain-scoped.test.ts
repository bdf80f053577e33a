import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { proposalsOf, type SentProposal, settingsWith, type Site, siteWith } from "../support/site.ts";
import type { StubAnswer } from "../support/stub-server.ts";

const finance = "urn:li:domain:finance";

/** The entities and aspects of the proposals in a request. */
function proposalsIn(text: string): readonly SentProposal[] {
  return text === "" ? [] : proposalsOf(JSON.parse(text));
}

/**
 * A server whose token has rights in a domain alone: it compares them with the domain in the request, where the entity has none
 * yet (DomainWriteAuthorizationUtils.java).
 */
function scopedWriter(refused: string[]): StubAnswer {
  const placed = new Set<unknown>();
  return ({ text }, response) => {
    const proposals = proposalsIn(text);
    for (const { entityUrn, aspectName } of proposals) if (aspectName === "domains") placed.add(entityUrn);
    const outside = proposals.find(({ entityUrn }) => !placed.has(entityUrn));
    if (!outside) return undefined;
    refused.push(outside.entityUrn);
    response.statusCode = 403;
    return { message: `User is unauthorized to modify entity: ${outside.entityUrn}` };
  };
}

const applied = (url: string, { root }: Site): Promise<Ran> =>
  runCli(["apply", "--auto-approve", "--server", url], { cwd: root });

async function siteFor(text: string, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith({ "all.yaml": text }, settingsWith(...settings));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [finance, "domainProperties", { name: "Finance" }],
      ["urn:li:corpuser:ada", "corpUserInfo", { active: true }],
    ]),
  );
  return site;
}

const declared = [
  "- { kind: DataProduct, id: invoicing, name: Invoicing, domain: finance, owners: [{ user: ada }] }",
  "- { kind: GlossaryTerm, id: revenue, definition: What comes in., domain: finance }",
].join("\n");

test.each([["graphql"], ["conditional"]])(
  "with `writes: %s` a token with rights in one domain creates what is declared in it",
  async (writes) => {
    const site = await siteFor(declared, `writes: ${writes}`);
    const refused: string[] = [];
    const url = await inFrontOf(site.catalog.url, scopedWriter(refused));

    const { code, stdout } = await applied(url, site);

    expect({ refused, code, stdout }).toMatchObject({ refused: [], code: 0 });
    for (const urn of ["urn:li:dataProduct:invoicing", "urn:li:glossaryTerm:revenue"])
      expect(site.aspect(urn, "domains")).toMatchObject({ domains: [finance] });
    const again = await runCli(["plan", "--server", url], { cwd: site.root });
    expect(again.stdout).toContain("No changes.");
  },
);

test("what is declared in no domain is refused to it, and the message names the privilege", async () => {
  const site = await siteFor("{ kind: DataProduct, id: invoicing, name: Invoicing }");
  const url = await inFrontOf(site.catalog.url, scopedWriter([]));

  const { code, stdout } = await applied(url, site);

  expect(code).toBe(7);
  expect(stdout).toContain(
    'the token needs the privilege EDIT_ENTITY ("Edit Entity") on urn:li:dataProduct:invoicing',
  );
});

test("an entity that comes into being meanwhile, in a domain of others, is not overwritten", async () => {
  const site = await siteFor("{ kind: DataProduct, id: invoicing, name: Invoicing, domain: finance }");
  let isThere = false;
  const url = await inFrontOf(site.catalog.url, async ({ text }) => {
    if (isThere || proposalsIn(text).length === 0) return undefined;
    isThere = true;
    await site.catalog.load(
      metadataFile(temporaryDirectory(), [
        ["urn:li:dataProduct:invoicing", "dataProductProperties", { name: "Theirs" }],
        ["urn:li:dataProduct:invoicing", "domains", { domains: ["urn:li:domain:sales"] }],
      ]),
    );
    return undefined;
  });

  const { code } = await applied(url, site);

  expect(code).toBe(6);
  expect(site.aspect("urn:li:dataProduct:invoicing", "domains")).toMatchObject({
    domains: ["urn:li:domain:sales"],
  });
});
