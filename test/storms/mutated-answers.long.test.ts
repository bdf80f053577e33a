import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { datasetNamed } from "../support/states.ts";
import { startMutatingProxy, type Target } from "../support/mutating-proxy.ts";
import { mutations } from "./mutations.ts";
import { runsOf } from "../support/runs.ts";

// Each run mutates an answer to a plan and one to an apply.
const runs = runsOf(6);

const token = "s3cr3t-t0ken-0f-the-fuzz";
const orders = datasetNamed("orders");

const world: readonly MadeAspect[] = [
  ...["sales", "finance"].map((id): MadeAspect => [`urn:li:domain:${id}`, "domainProperties", { name: id }]),
  ...["old", "a", "b"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ...["ada", "ben"].map((id): MadeAspect => [`urn:li:corpuser:${id}`, "corpUserInfo", { active: true }]),
  ["urn:li:corpGroup:fin", "corpGroupInfo", { admins: [], members: [], groups: [] }],
  ["urn:li:corpGroup:fin", "origin", { type: "NATIVE" }],
  [orders, "schemaMetadata", schemaWith("email")],
  [orders, "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
  [orders, "domains", { domains: ["urn:li:domain:sales"] }],
];

/** What is declared in a run: a tag of its own, and one of two states of all else. */
function manifestOf(run: number): string {
  const isEven = run % 2 === 0;
  return `
- { kind: Tag, id: t${run}, name: Tag ${run} }
- { kind: Tag, id: a, name: A ${run}, description: ${isEven ? "x" : "y"} }
- { kind: Domain, id: finance, name: Finance, parent_domain: ${isEven ? "sales" : "none"} }
- { kind: Group, id: fin, display_name: Fin, members: [${isEven ? "ada, ben" : "ben"}] }
- { kind: User, id: ada, title: Title ${run} }
- kind: Dataset
  urn: ${orders}
  domain: ${isEven ? "finance" : "sales"}
  tags: [t${run}, ${isEven ? "a" : "b"}]
  owners: [{ user: ${isEven ? "ada" : "ben"} }]
  columns: { email: { tags: [${isEven ? "a" : "b"}] } }
`;
}

type Entry = Readonly<Record<string, unknown>>;

interface Told {
  readonly changes?: readonly Entry[];
  readonly problems?: readonly Entry[];
  readonly plan?: { readonly changes: readonly Entry[] };
  readonly outcomes?: readonly Entry[];
  readonly error?: Entry;
}

/** What a change does, without what is only told about it. */
const whatOf = ({ action, urn, facet, column, add, remove, before, after }: Entry): string =>
  JSON.stringify({ action, urn, facet, column, add, remove, before, after });

const keysOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.map((each) => JSON.stringify(each)) : [];

/** The values of an outcome's changes that a later plan still, or again, wants. */
function wantedAfter(outcome: Entry, made: readonly Entry[], later: readonly Entry[]): readonly string[] {
  const { urn, facets = [outcome["facet"]], columns = [outcome["column"]], operation } = outcome;
  const isOf = (change: Entry): boolean =>
    change["urn"] === urn &&
    keysOf(facets).includes(JSON.stringify(change["facet"])) &&
    (change["column"] === undefined || keysOf(columns).includes(JSON.stringify(change["column"])));
  const ways = /^(?:batchR|r)emove/.test(String(operation))
    ? ["remove"]
    : String(operation).startsWith("add")
      ? ["add"]
      : ["add", "remove", "after"];
  const valuesIn = (changes: readonly Entry[]): readonly string[] =>
    changes
      .filter(isOf)
      .flatMap((change) =>
        ways.flatMap((way) =>
          keysOf(way === "after" && way in change ? [change[way]] : change[way]).map(
            (key) => `${String(change["facet"])} ${way} ${key}`,
          ),
        ),
      );
  const still = valuesIn(later);
  return valuesIn(made).filter((value) => still.includes(value));
}

const aimed = fc.record({
  place: fc.nat(24),
  isSticky: fc.boolean(),
  mutation: mutations(token),
});

test("of a mutated answer no plan is wrong, and no apply says applied what the catalog does not have", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const proxy = await startMutatingProxy(catalog.url);
  // No repository: git takes longer than all requests.
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  const report = join(cwd, "report.json");
  let [run, mutated] = [0, 0];

  const command = async (
    argv: readonly string[],
    target?: Target,
  ): Promise<Ran & { readonly told: Told }> => {
    rmSync(report, { force: true });
    proxy.aim(target);
    const flags = ["--format", "json", "--report", report, "--verbose", "--timeout", "5"];
    const env = { DATAHUB_GMS_TOKEN: token };
    const ran = await runCli([...argv, "--server", proxy.url, ...flags], { cwd, env });
    const written = readFileSync(report, "utf8");
    expect(ran.stderr).not.toContain("This is a bug");
    expect(ran.stdout).not.toContain("a bug in datahub-gitops");
    expect(written).toBe(ran.stdout);
    if (proxy.seen().isMutated) mutated += 1;
    return { ...ran, told: JSON.parse(ran.stdout) as Told };
  };

  const check = async (inPlan: Target, inApply: Target): Promise<void> => {
    run += 1;
    writeFileSync(join(cwd, "catalog/a.yaml"), manifestOf(run));
    const truth = ((await command(["plan"])).told.changes ?? []).map(whatOf);
    expect(truth).not.toEqual([]);

    const { code, told } = await command(["plan"], inPlan);
    const planned = (told.changes ?? []).map(whatOf);
    if (told.error) expect(code).toBe(1);
    else {
      expect(truth).toEqual(expect.arrayContaining(planned));
      if (planned.length < truth.length) {
        expect(code).not.toBe(0);
        expect(told.problems?.length).toBeGreaterThan(0);
      }
    }

    const applied = await command(["apply", "--auto-approve"], inApply);
    if (proxy.seen().writes > 0) expect(applied.told.outcomes).toBeDefined();
    const left = (await command(["plan"])).told.changes ?? [];
    for (const outcome of applied.told.outcomes ?? []) {
      if (outcome["status"] !== "applied") continue;
      expect(wantedAfter(outcome, applied.told.plan?.changes ?? [], left)).toEqual([]);
    }
    if (applied.code === 0) expect(left).toEqual([]);
    if (left.length > 0) expect((await command(["apply", "--auto-approve"])).code).toBe(0);
  };

  await check(
    { place: -1, isSticky: false, mutate: (it) => it },
    { place: -1, isSticky: false, mutate: (it) => it },
  );
  await fc.assert(
    fc.asyncProperty(aimed, aimed, async (plan, apply) => {
      await check({ ...plan, mutate: plan.mutation[1] }, { ...apply, mutate: apply.mutation[1] });
    }),
    { numRuns: runs, endOnFailure: true },
  );
  expect(mutated).toBeGreaterThanOrEqual(runs);
});
