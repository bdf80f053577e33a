import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";

const levels = 20_000;

/** Puts a list of 20,000 levels into an aspect, past all checks of the catalog. */
function nest({ catalog: { database } }: Site, of: string, aspect: string): void {
  const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const stored = database
    .prepare<[string]>("SELECT value FROM aspect WHERE urn = ? AND aspect = ? AND version = 0")
    .get(of, aspect);
  if (!stored) throw new Error(`${of} has no ${aspect}`);
  const value = stored[0].replace(/\}$/, `,"customProperties":${deep}}`);
  database
    .prepare("UPDATE aspect SET value = ? WHERE urn = ? AND aspect = ? AND version = 0")
    .run(value, of, aspect);
}

const urns = ["domain:a", "domain:b", "domain:c", "tag:t", "corpuser:u", "corpGroup:g"].map(
  (key) => `urn:li:${key}`,
);

const manifests = (words: string): string =>
  [
    `{ kind: Domain, id: a, description: ${words} }`,
    `{ kind: Domain, id: b, description: ${words}, parent_domain: c }`,
    `{ kind: Domain, id: c, description: ${words} }`,
    `{ kind: Tag, id: t, description: ${words} }`,
    `{ kind: User, id: u, title: ${words} }`,
    `{ kind: Group, id: g, description: ${words}, members: [u] }`,
  ].join("\n---\n");

interface Applied {
  readonly outcomes: readonly { readonly urn: string; readonly status: string }[];
}

function failedIn(stdout: string): readonly string[] {
  const { outcomes } = JSON.parse(stdout) as Applied;
  expect(outcomes.length).toBeGreaterThan(4);
  return outcomes.filter(({ status }) => status !== "applied").map(({ urn }) => urn);
}

async function makeSiteAhead(): Promise<Site> {
  const site = await siteWith({ "all.yaml": manifests("two") });
  const description = "one";
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ...["a", "b", "c"].map((id): MadeAspect => {
        const parent = id === "b" ? { parentDomain: "urn:li:domain:c" } : {};
        return [`urn:li:domain:${id}`, "domainProperties", { name: id, description, ...parent }];
      }),
      ["urn:li:tag:t", "tagProperties", { name: "t", description }],
      ["urn:li:corpuser:u", "corpUserInfo", { active: true, title: "one" }],
      ["urn:li:corpuser:u", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:g"] }],
      ["urn:li:corpGroup:g", "corpGroupInfo", { admins: [], members: [], groups: [], description }],
      ["urn:li:corpGroup:g", "origin", { type: "NATIVE" }],
    ]),
  );
  return site;
}

/** A site that has one description of everything, and declares another. */
const siteAhead = siteOnce(makeSiteAhead);

test("what is nested deep is not applied, and all else is", async () => {
  const site = await siteAhead();
  const nested = [
    ["urn:li:domain:a", "domainProperties"],
    ["urn:li:tag:t", "tagProperties"],
    ["urn:li:corpuser:u", "corpUserInfo"],
    ["urn:li:corpGroup:g", "corpGroupInfo"],
  ] as const;
  for (const [of, aspect] of nested) nest(site, of, aspect);

  const { code, stdout } = await site.apply("--format", "json");

  const { outcomes } = JSON.parse(stdout) as Applied;
  const deep = new Set<string>(nested.map(([of]) => of));
  expect(code).toBe(1);
  expect(outcomes.map(({ urn, status }) => [urn, status])).toEqual(
    urns.filter((urn) => !deep.has(urn)).map((urn) => [urn, "applied"]),
  );
});

test("where a domain that others stand below becomes nested deep before its write, only that fails", async () => {
  const site = await siteAhead();
  const meanwhile = async (): Promise<void> => nest(site, "urn:li:domain:c", "domainProperties");

  const { code, stdout } = await site.run(["apply", "--format", "json"], { answers: ["yes"], meanwhile });

  expect([code, failedIn(stdout)]).toEqual([7, ["urn:li:domain:c"]]);
});
