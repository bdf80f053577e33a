import { expect, test } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import { type MadeAspect, metadataFile } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { appliedRef, inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";

const user = (id: string): string => `urn:li:corpuser:${id}`;
const group = (id: string): string => `urn:li:corpGroup:${id}`;

const names = { users: ["ann", "bob", "eve"], groups: ["g", "h"] };

/** Users and groups, and who is in which. */
function world(members: Readonly<Record<string, readonly string[]>>): readonly MadeAspect[] {
  return [
    ...names.users.flatMap((id): readonly MadeAspect[] => [
      [user(id), "corpUserInfo", { active: true, displayName: id }],
      [user(id), "nativeGroupMembership", { nativeGroups: (members[id] ?? []).map(group) }],
    ]),
    ...names.groups.flatMap((id): readonly MadeAspect[] => [
      [group(id), "corpGroupInfo", { displayName: id, admins: [], members: [], groups: [] }],
      [group(id), "origin", { type: "NATIVE" }],
    ]),
  ];
}

async function siteOf(
  text: string,
  members: Readonly<Record<string, readonly string[]>> = {},
  ...settings: readonly string[]
): Promise<Site> {
  const site = await siteWith({ "all.yaml": text }, settingsWith(...settings));
  await site.catalog.load(metadataFile(site.root, world(members)));
  return site;
}

/** The edges of an entity: each with its mode, where it is declared, whether it is there, and what an apply does. */
async function edgesOf(site: Site, urn: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await site.run(["explain", urn, "--format", "json", ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return edgesIn(JSON.parse(stdout) as Explanation);
}

function edgesIn({ facets }: Explanation): readonly string[] {
  const shown = facets.filter(({ facet }) => facet === "members" || facet === "groups");
  return shown.flatMap(({ facet, mode, desired = [], live, change }) => {
    const all = [
      ...new Set([...desired, ...live].map(({ value }) => (typeof value === "string" ? value : ""))),
    ].toSorted();
    return all.map((value) => {
      const places = desired
        .filter((each) => each.value === value)
        .flatMap(({ declaredBy }) => declaredBy.map(({ source }) => `${source?.file}:${source?.line}`));
      const isLive = live.some((each) => each.value === value);
      const fate = change?.add.includes(value) ? " +" : change?.remove.includes(value) ? " -" : "";
      const id = value.split(":").at(-1);
      return `${facet} ${mode?.mode} ${id} (${places.join()})${isLive ? " live" : ""}${fate}`;
    });
  });
}

const bobInH = "kind: User\nid: bob\ngroups: [h]\n";
const at = (line: number): string => `catalog/all.yaml:${line}`;

test("of a group that only a user declares its members are explained, as text and by a snapshot as well", async () => {
  const site = await siteOf(bobInH, { eve: ["h"] });

  const expected = [`members authoritative bob (${at(3)}) +`, "members authoritative eve () live"];
  expect(await edgesOf(site, group("h"))).toEqual(expected);
  const { stdout } = await site.run(["explain", group("h")]);
  expect(stdout).toContain("  declared only in the manifests of other entities\n");
  expect(stdout).toContain(
    `members: authoritative (the default)\n  + ${user("bob")}\n      declared by ${at(3)}:1\n      apply will add it\n`,
  );
  expect((await site.run(["export", "--snapshot", "live.json"])).code).toBe(0);
  const argv = ["explain", group("h"), "--snapshot", "live.json", "--quiet", "--format", "json"];
  const { code, stdout: held, stderr } = await runCli(argv, { cwd: site.root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(edgesIn(JSON.parse(held) as Explanation)).toEqual(expected);
});

// What is shown of edges at either end is a table of the core (test/plan/explain/other-end.test.ts).
test("memberships are explained from either end where a group lists members", async () => {
  const site = await siteOf("kind: Group\nid: g\nmembers: [ann]\n", { bob: ["g"] });

  expect(await edgesOf(site, user("ann"))).toEqual([`groups authoritative g (${at(3)}) +`]);
  expect(await edgesOf(site, user("bob"))).toEqual(["groups authoritative g () live -"]);
  expect(await edgesOf(site, group("g"))).toEqual([
    `members authoritative ann (${at(3)}) +`,
    "members authoritative bob () live -",
  ]);
});

test("a membership that was declared before, and is not now, is explained from either end", async () => {
  const site = await siteOf(bobInH, { bob: ["h"], eve: ["h"] });
  site.git("update-ref", appliedRef, "HEAD");
  const text = "kind: User\nid: bob\ngroups: []\nmanage: { groups: merge }\n";
  site.commit(inCatalog({ "all.yaml": text }));

  expect(await edgesOf(site, user("bob"))).toEqual(["groups merge h () live -"]);
  expect(await edgesOf(site, group("h"))).toEqual([
    "members merge bob () live -",
    "members merge eve () live",
  ]);
});
