import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { refusing } from "../support/refusing.ts";
import { type Site, siteWith } from "../support/site.ts";

const people = "kind: User\nid: alice\n---\nkind: User\nid: bob\n";

interface Applied {
  readonly code: number;
  readonly writes: number;
  /** How many changes the plan shows. */
  readonly planned: number;
}

/** Applies a manifest to a server that refuses all writes after some. */
async function applyUpTo(most: number, site: Site, manifest: string): Promise<Applied> {
  site.write({ "catalog/new.yaml": manifest });
  let writes = 0;
  const server = await refusing(site.catalog.url, () => (writes += 1) > most);
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  const { code, stdout } = await runCli(argv, { cwd: site.root });
  const { plan } = JSON.parse(stdout) as { plan: { changes: readonly unknown[] } };
  return { code, writes, planned: plan.changes.length };
}

/** The latest aspects of the entities with a number, without it, and without when they were written. */
function storedOf(number: string, { catalog }: Site): readonly string[] {
  const own = catalog.aspects().filter(({ urn, version }) => version === 0 && urn.includes(number));
  return own
    .map(({ urn, aspect, value }) => `${urn} ${aspect} ${JSON.stringify(value, withoutTime)}`)
    .map((text) => text.replaceAll(number, "N"))
    .toSorted();
}

function withoutTime(key: string, value: unknown): unknown {
  return key === "time" ? 0 : value;
}

test.each([
  [
    "a domain below another one",
    "kind: Domain\nid: topN\n---\nkind: Domain\nid: lowN\nparent_domain: topN\ndescription: D\nowners: [{ user: alice }]\n",
  ],
  [
    "a tag",
    'kind: Tag\nid: tN\nname: T\ndescription: D\ncolor_hex: "#112233"\nowners: [{ user: alice }, { user: bob }]\n',
  ],
  ["a user that declares nothing", "kind: User\nid: uN\n"],
  ["a user", 'kind: User\nid: uN\ntitle: Lead\nslack: "@u"\ngroups: [gN]\n---\nkind: Group\nid: gN\n'],
  [
    "users that manage each other",
    "kind: User\nid: uN\nmanager_urn: mN\n---\nkind: User\nid: mN\nmanager_urn: uN\n",
  ],
  ["a group that declares nothing", "kind: Group\nid: gN\n"],
  ["a group of members alone", "kind: Group\nid: gN\nmembers: [alice, { id: uN }]\n"],
  [
    "a group",
    "kind: Group\nid: gN\ndisplay_name: G\npicture_link: https://acme.com/g.png\nmembers: [alice]\nowners: [bob]\n",
  ],
])(
  "the creation of %s that is cut off after any write is completed by the next apply",
  async (_, manifest) => {
    const site = await siteWith({ "people.yaml": people }, "version: 1\n");
    expect(await site.apply()).toMatchObject({ code: 0 });
    const numbered = (number: string): string => manifest.replaceAll("N", number);
    const undisturbed = await applyUpTo(Number.POSITIVE_INFINITY, site, numbered("-all"));
    expect(undisturbed.code).toBe(0);
    const expected = storedOf("-all", site);
    const completed: string[] = [];

    for (let most = 0; most < undisturbed.writes; most += 1) {
      const number = `-${most}-`;
      expect(await applyUpTo(most, site, numbered(number))).toMatchObject({ code: 7 });

      const next = await applyUpTo(Number.POSITIVE_INFINITY, site, numbered(number));

      expect(next.code).toBe(0);
      expect(next.planned).toBeGreaterThan(0);
      expect(storedOf(number, site)).toEqual(expected);
      completed.push(numbered(number));
    }
    site.write({ "catalog/new.yaml": completed.join("---\n") });
    expect(await site.planned()).toMatchObject({ changes: [] });
  },
);

test("a declared group that has no lists of members gets them, and the plan says so", async () => {
  const site = await siteWith({ "g.yaml": "kind: Group\nid: g\n" }, "version: 1\n");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [["urn:li:corpGroup:g", "origin", { type: "NATIVE" }]]),
  );

  const { stdout } = await site.plan();

  expect(stdout).toContain("incomplete: true (its creation was interrupted) → false (completed)");
});

test("a group of an identity provider is not completed", async () => {
  const site = await siteWith({ "g.yaml": "kind: Group\nid: g\n" }, "version: 1\n");
  const origin = { type: "EXTERNAL", externalType: "OKTA" };
  await site.catalog.load(metadataFile(temporaryDirectory(), [["urn:li:corpGroup:g", "origin", origin]]));

  expect(await site.planned()).toMatchObject({ changes: [] });
});
