import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { siteWith } from "../support/site.ts";

// What a part has: test/plan/diff/part.test.ts, test/plan/compare-parts.test.ts and test/laws/parts.test.ts.

const group = (id: string): readonly MadeAspect[] => [
  [`urn:li:corpGroup:${id}`, "corpGroupInfo", { admins: [], members: [], groups: [] }],
  [`urn:li:corpGroup:${id}`, "origin", { type: "NATIVE" }],
];

test("a plan of a user who joins groups that no manifest declares can be shown and applied", async () => {
  const site = await siteWith({ "bob.yaml": "kind: User\nid: bob\ngroups: [g, h]\n" });
  const bob: MadeAspect = ["urn:li:corpuser:bob", "corpUserInfo", { active: true }];
  await site.catalog.load(metadataFile(temporaryDirectory(), [bob, ...group("g"), ...group("h")]));
  const show = async (file: string): Promise<Ran> => await runCli(["show", file], { cwd: site.root });

  const planned = await site.plan("--target", "urn:li:corpuser:bob", "--out", "plan.json");
  expect(await show("plan.json")).toMatchObject({ code: 0, stdout: planned.stdout });
  const applied = await site.run(["apply", "plan.json", "--report", "report.json"]);
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(await show("report.json")).toMatchObject({ code: 0 });
  expect(site.aspect("urn:li:corpuser:bob", "nativeGroupMembership")).toMatchObject({
    nativeGroups: ["urn:li:corpGroup:g", "urn:li:corpGroup:h"],
  });
});

test("a part creates what its changes need and does not exist yet, and nothing else", async () => {
  const site = await siteWith({
    "tags.yaml": "kind: Tag\nid: pii\nowners: [{ group: g }]\n---\nkind: Tag\nid: other\n",
    "g.yaml": "kind: Group\nid: g\nmembers: [alice]\n",
    "users.yaml": "kind: User\nid: alice\n---\nkind: User\nid: bob\n",
  });

  const { changes } = await site.planned("--target", "urn:li:tag:pii");
  expect(new Set(changes.map(({ urn }) => urn))).toEqual(
    new Set(["urn:li:tag:pii", "urn:li:corpGroup:g", "urn:li:corpuser:alice"]),
  );
});
