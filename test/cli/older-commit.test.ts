import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { tag } from "../support/history.ts";
import { type PlanJson, settingsWith, type Site, siteWith, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");

const dataset = (...lines: readonly string[]): string =>
  ["kind: Dataset", "platform: snowflake", "name: orders", ...lines, ""].join("\n");

interface History {
  readonly site: Site;
  /** The first commit, one after it that was not applied, and the last one, which was. */
  readonly first: string;
  readonly waiting: string;
  readonly applied: string;
}

/** A site whose last commit gave a dataset another tag and domain, and was applied. */
async function siteAhead(): Promise<History> {
  const site = await siteWith(
    {
      "orders.yaml": dataset("tags: [a]", "domain: a"),
      "a.yaml": tag("a"),
      "n.yaml": tag("n"),
      "x.yaml": tag("x"),
    },
    settingsWith("runs: { keep: 20 }"),
  );
  const domains = ["a", "b"].map((id): MadeAspect => [
    `urn:li:domain:${id}`,
    "domainProperties",
    { name: id },
  ]);
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[orders, "datasetProperties", { name: "orders" }], ...domains]),
  );
  const first = site.git("rev-parse", "HEAD");
  expect(await site.apply()).toMatchObject({ code: 0 });
  const waiting = site.commit({ "catalog/orders.yaml": dataset("tags: [a, n]", "domain: a") });
  await site.plan("--out", ".git/waiting.json");
  const applied = site.commit({ "catalog/orders.yaml": dataset("tags: [a, x]", "domain: b") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(site.at()).toBe(applied);
  return { site, first, waiting, applied };
}

const removedIn = ({ changes }: PlanJson): unknown =>
  changes.flatMap(({ removed }) => (removed as readonly unknown[] | undefined) ?? []);

test("an older commit is not applied, a plan of it warns, and what it takes back names the last applied commit", async () => {
  const { site, waiting } = await siteAhead();
  site.git("checkout", "--quiet", waiting);
  const refused = {
    code: 64,
    stderr: expect.stringContaining(
      "error: this commit is older than the last applied commit; 1 commit has been applied since.",
    ) as string,
  };
  const before = writesIn(site.catalog).length;

  expect(await site.apply()).toMatchObject(refused);
  expect(await site.apply("--target", orders)).toMatchObject(refused);
  expect(await site.apply(".git/waiting.json")).toMatchObject(refused);
  const watched = await site.run([
    "watch",
    "--mode",
    "correct",
    "--rounds",
    "2",
    "--every",
    "0s",
    "--no-listen",
    "--format",
    "json",
  ]);
  const rounds = watched.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(rounds).toMatchObject(
    [1, 2].map((round) => ({
      round,
      exitCode: 64,
      applied: 0,
      error: { message: expect.stringContaining("older") as string },
    })),
  );
  expect(writesIn(site.catalog)).toHaveLength(before);

  const planned = await site.planned();
  expect(planned.problems).toMatchObject([{ code: "older-commit", severity: "warning" }]);
  const place = (line: number): object => ({ file: "catalog/orders.yaml", line });
  expect(removedIn(planned)).toMatchObject([
    { value: "urn:li:domain:b", declaredBefore: true, lastApplied: place(5) },
    { value: "urn:li:tag:x", declaredBefore: true, lastApplied: place(4) },
  ]);
  const { stdout, stderr } = await site.run(["drift"]);
  expect(stdout).toContain("declared in the last applied commit, catalog/orders.yaml:4");
  expect(stdout).not.toContain("not declared before");
  expect(stderr).toContain("warning older-commit");
  expect(await site.apply("--dry-run")).toMatchObject({ code: 0 });

  expect(await site.apply("--allow-older-commit")).toMatchObject({ code: 0 });
  expect(writesIn(site.catalog).length).toBeGreaterThan(before);
});

test("a commit that has parted from the last applied one is applied with a warning, and the base moves only where that is asked for", async () => {
  const { site, first, applied } = await siteAhead();
  // As after a squash merge: the same manifests, in another commit.
  site.git("checkout", "--quiet", "-b", "other", first);
  site.git("checkout", applied, "--", "catalog");
  const squashed = site.commit({ "catalog/y.yaml": tag("y") });

  const applies = await site.apply();
  expect(applies.code).toBe(0);
  expect(applies.stderr).toContain("2 applied commits are not in HEAD");
  expect(applies.stderr).toContain(`stays at ${applied.slice(0, 12)}, because it is not an ancestor`);
  expect(applies.stderr).toContain("datahub-gitops apply --move-base");
  const doctor = await site.run(["doctor"]);
  expect(doctor.stdout).toContain(`the last applied commit ${applied.slice(0, 12)}`);
  expect(doctor.stdout).toContain("datahub-gitops apply --move-base");
  expect(site.at()).toBe(applied);

  expect(await site.apply("--move-base")).toMatchObject({ code: 0 });
  expect(site.at()).toBe(squashed);
  expect((await site.plan()).stderr).not.toContain("not in HEAD");
});
