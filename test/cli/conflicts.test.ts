import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { planErrors } from "../support/published-schemas.ts";
import {
  appliedRef,
  inCatalog,
  runNote,
  settingsWith,
  type Site,
  siteOnce,
  siteWith,
} from "../support/site.ts";

// What is in conflict, and what becomes of it: test/plan/diff, test/laws/modes.test.ts and test/cli/result-exit-code.test.ts.

const finance = "urn:li:domain:finance";
const team = "urn:li:corpGroup:team";

const domain = (name: string, description: string): string =>
  `kind: Domain\nid: finance\nname: ${name}\ndescription: ${description}\n`;

const group = (members: string): string => `kind: Group\nid: team\nmembers: [${members}]\n`;

const live: readonly MadeAspect[] = [
  [finance, "domainProperties", { name: "Finance", description: "theirs" }],
  ["urn:li:tag:old", "tagProperties", { name: "old" }],
  [team, "corpGroupInfo", { admins: [], members: [], groups: [] }],
  [team, "origin", { type: "NATIVE" }],
  ...["alice", "bob", "carol"].flatMap((id): readonly MadeAspect[] => [
    [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }],
    [`urn:li:corpuser:${id}`, "nativeGroupMembership", { nativeGroups: [team] }],
  ]),
];

const users = ["alice", "bob", "carol"].map((id) => `kind: User\nid: ${id}\n`).join("---\n");

async function makeSiteInConflict(): Promise<Site> {
  const site = await siteWith(
    {
      "domain.yaml": domain("Finance", "before"),
      "old.yaml": "kind: Tag\nid: old\n",
      "team.yaml": group("alice, bob"),
      "users.yaml": users,
    },
    settingsWith("manage: { name: merge, description: merge, members: merge }"),
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), live));
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/domain.yaml": domain("Money", "ours") });
  return site;
}

/** A site in mode `merge` where somebody has changed a description, and the manifests change it too, and the name. */
const siteInConflict = siteOnce(makeSiteInConflict);

test("a conflict shows all three values, holds back only itself, and ends plan and apply with 6", async () => {
  const site = await siteInConflict();
  const base = site.at();

  const planned = await site.plan();
  expect(planned).toMatchObject({ code: 6, stderr: "" });
  expect(planned.stdout).toMatch(/conflict: [^\n]*\n +base +before\n +live +theirs\n +declared +ours\n/);
  expect(planned.stdout).toMatch(/0 values added, 1 replaced, 0 removed; 1 held back\.\n$/);
  const applied = await site.apply();
  expect(applied).toMatchObject({
    code: 6,
    stderr: `${runNote(site)}The base (${appliedRef}) stays at ${base?.slice(0, 12)}, because 1 conflict is unresolved\n`,
  });
  expect(applied.stdout).toMatch(
    /skipped: set description of Money \(urn:li:domain:finance\) .*\n +conflict: the live value is kept until it is declared or --force-conflicts overwrites it\nApplied 1 operation, 0 failed, 1 skipped\.\n$/,
  );
  expect(site.aspect(finance, "domainProperties")).toMatchObject({ name: "Money", description: "theirs" });
  expect(site.at()).toBe(base);
});

test.each([
  ["--skip-conflicts", "kept", "theirs", "live", "1 skipped"],
  ["--force-conflicts", "overwritten", "ours", "desired", "0 skipped"],
] as const)(
  "with %s the live value is %s, and apply ends with 0",
  async (flag, words, description, winner, count) => {
    const site = await siteInConflict();

    const { code, stdout } = await site.apply(flag, "--report", "report.json");

    expect(JSON.parse(readFileSync(join(site.root, "report.json"), "utf8"))["plan"]["changes"]).toMatchObject(
      [{ conflict: { base: "before", live: "theirs", desired: "ours", winner } }, { facet: "name" }],
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`the live value will be ${words}`);
    expect(stdout).toContain(`0 failed, ${count}.`);
    expect(site.aspect(finance, "domainProperties")).toMatchObject({ name: "Money", description });
  },
);

test("where conflicts hold back all that there is, apply asks nobody", async () => {
  const site = await siteInConflict();
  site.commit({ "catalog/domain.yaml": domain("Finance", "ours") });

  const { code, stdout, stderr } = await runCli(["apply", "--skip-conflicts", "--server", site.catalog.url], {
    cwd: site.root,
    answers: [],
  });

  expect(code).toBe(0);
  expect(stderr).not.toContain("Apply these changes");
  expect(stdout).toContain("Applied 0 operations, 0 failed, 1 skipped.");
});

test("both flags are a wrong usage", async () => {
  for (const command of ["plan", "apply"]) {
    const { code, stdout, stderr } = await runCli([command, "--force-conflicts", "--skip-conflicts"], {
      cwd: "/",
    });
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(/--(force|skip)-conflicts' cannot be used with option '--(force|skip)-conflicts'/);
  }
});

test("a plan with a conflict, a deletion and values of others is valid by the published schema, and show tells it again", async () => {
  const site = await siteInConflict();
  site.commit(inCatalog({ "old.yaml": undefined, "team.yaml": group("alice") }));

  const planned = await site.plan("--prune", "--out", "plan.json");

  const saved = readFileSync(join(site.root, "plan.json"), "utf8");
  expect(planErrors(JSON.parse(saved))).toBeNull();
  expect(JSON.parse(saved)).toMatchObject({
    summary: { delete: 1, conflicts: 1, removals: 1, unmanaged: 1 },
  });
  const show = async (...flags: readonly string[]): Promise<string> =>
    (await runCli(["show", "plan.json", ...flags], { cwd: site.root })).stdout;
  expect(await show()).toBe(planned.stdout);
  expect(await show("--format", "json")).toBe(saved);
});
