import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { settingsWith, siteWith } from "../support/site.ts";

const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ntags: [pii]\n";
const settings = 'version: 1\nignore:\n  - { facet: tags, value: "*pii", reason: theirs }\n';

function repository(tags: string): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog", "orders.yaml"), manifest.replace("pii", tags));
  writeFileSync(join(cwd, "catalog", "datahub-gitops.yaml"), settings);
  return cwd;
}

test("`validate` warns of what the settings ignore, names both places and ends with 0", async () => {
  const { code, stdout, stderr } = await runCli(["validate"], { cwd: repository("pii") });

  expect(code).toBe(0);
  expect(stdout).toBe("Valid: 1 document in 1 file.\n");
  expect(stderr)
    .toBe(`catalog/orders.yaml:4:8 warning ignored-value: the settings ignore \`urn:li:tag:pii\` in \`tags\` (theirs): remove it here, or narrow the ignore rule
  4 | tags: [pii]
    |        ^
  see also catalog/datahub-gitops.yaml:3:5
`);
});

test("`validate` says nothing of rules that cover nothing", async () => {
  const { code, stderr } = await runCli(["validate"], { cwd: repository("tier-1") });

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("an ignored user is neither added to nor removed from a group that lists its members", async () => {
  const rule = 'ignore: [{ urn: "urn:li:corpuser:svc*", reason: service accounts }]';
  const site = await siteWith(
    { "fin.yaml": "kind: Group\nid: fin\nmembers: [alice, svc-new]\n" },
    settingsWith(rule),
  );
  const inFin = { nativeGroups: ["urn:li:corpGroup:fin"] };
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:corpGroup:fin", "corpGroupInfo", { admins: [], members: [], groups: [] }],
      ...["alice", "bob", "svc-old"].map(
        (id) => [`urn:li:corpuser:${id}`, "nativeGroupMembership", inFin] as const,
      ),
      ...["alice", "bob", "svc-old", "svc-new"].map(
        (id) => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }] as const,
      ),
    ]),
  );

  const { code, stderr } = await site.apply();

  expect(code).toBe(0);
  expect(stderr).toContain(
    "warning ignored-value: the settings ignore `urn:li:corpuser:svc-new` in `members`",
  );
  const groupsOf = (id: string): unknown => site.aspect(`urn:li:corpuser:${id}`, "nativeGroupMembership");
  expect(["alice", "bob", "svc-old", "svc-new"].map(groupsOf)).toEqual([
    inFin,
    { nativeGroups: [] },
    inFin,
    undefined,
  ]);
  expect((await site.planned()).unmanaged).toEqual([]);
});
