import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { keptAt, type Value } from "./facets.ts";
import {
  aspectsOf,
  documentsOf,
  type Drawn,
  expected,
  isSame,
  keyOf,
  manifestsOf,
  ruleOf,
  worlds,
} from "./worlds.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

const lenient = "guards: { removals: { max_percent: 100, max_count: 100000 } }";

/** A place of an explanation as JSON has it: with all keys where the column is not all of them. */
interface ExplainedJson {
  readonly facet: string;
  readonly column?: string;
  readonly path?: readonly string[];
  readonly desired?: unknown;
}

interface Options {
  readonly settings?: readonly string[];
  /** Manifests in the place of those that declare what is wanted. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A repository in which one side was declared before and the other one is now, and a catalog that has what is there. */
async function siteOf(world: readonly Drawn[], { settings = [], files }: Options = {}): Promise<Site> {
  const manage = Object.fromEntries(world.map(({ place, mode }) => [place.facet, mode]));
  const site = await siteWith(
    manifestsOf(world, "before"),
    settingsWith(lenient, `manage: ${JSON.stringify(manage)}`, ...settings),
  );
  site.git("update-ref", "refs/datahub-gitops/applied", "HEAD");
  site.commit(
    inCatalog({ ...emptied(manifestsOf(world, "before")), ...(files ?? manifestsOf(world, "want")) }),
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), aspectsOf(world)));
  return site;
}

function emptied(files: Readonly<Record<string, string>>): Readonly<Record<string, undefined>> {
  return Object.fromEntries(Object.keys(files).map((name) => [name, undefined]));
}

function inCatalog(files: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`catalog/${name}`, text]));
}

/** What the catalog has at each place. */
function stored(site: Site, world: readonly Drawn[]): ReadonlyMap<string, Value> {
  return new Map(
    world.map((each) => {
      const kept = site.aspect(each.urn, "institutionalMemory") as Json | undefined;
      return [keyOf(each), keptAt(kept, each.place.facet, each.place.path ?? [])];
    }),
  );
}

/** The places that a plan changes. */
async function changedIn(site: Site, ...flags: readonly string[]): Promise<readonly string[]> {
  const { changes, problems } = await site.planned(...flags);
  expect(problems).toBeUndefined();
  return changes.map((change) => keyOf({ urn: String(change["urn"]), place: change as never })).toSorted();
}

/** Tries something with several worlds. They are too large for a smaller one to say more. */
function always(holds: (world: readonly Drawn[]) => Promise<void>): () => Promise<void> {
  return async () => {
    await fc.assert(fc.asyncProperty(worlds, holds), { numRuns, endOnFailure: true });
  };
}

test(
  "an apply does at each place what its mode says, as a saved plan and by conditional writes, too, and the next plan shows conflicts alone",
  counted,
  async () => {
    const ways = fc.record({ isSaved: fc.boolean(), isConditional: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(worlds, ways, async (world, { isSaved, isConditional }) => {
        const site = await siteOf(world, { settings: isConditional ? ["writes: conditional"] : [] });
        const conflicts = world.filter((each) => expected(each).conflict).map(keyOf);
        const moved = world.filter((each) => !isSame(expected(each).value, each.have)).map(keyOf);
        expect(await changedIn(site)).toEqual([...moved, ...conflicts].toSorted());

        if (isSaved) await site.plan("--out", "plan.json");
        const how = ["--report", "report.json", ...(isSaved ? ["plan.json"] : ["--auto-approve"])];
        const ran = await site.run(["apply", ...how]);
        expect(ran.code, ran.stderr + ran.stdout).toBe(conflicts.length > 0 ? 6 : 0);
        expect(stored(site, world)).toEqual(
          new Map(world.map((each) => [keyOf(each), expected(each).value])),
        );
        expect(await changedIn(site)).toEqual(conflicts.toSorted());
        const shown = await runCli(["show", "report.json", "--format", "json"], { cwd: site.root });
        expect(shown.stdout).toBe(readFileSync(join(site.root, "report.json"), "utf8"));
      }),
      { numRuns, endOnFailure: true },
    );
  },
);

test(
  "a prune of assignments takes away what was declared before and is not now, place by place",
  counted,
  always(async (world) => {
    const site = await siteOf(world, { settings: ["prune: { assignments: true }", "conflicts: skip"] });
    const ran = await site.apply("--prune");
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(stored(site, world)).toEqual(
      new Map(world.map((each) => [keyOf(each), expected(each, { isPruned: true }).value])),
    );
  }),
);

test(
  "a plan of an export is empty, and of one that was brought up to date",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const exported = await site.run(["export", "exported"]);
    expect(exported.code, exported.stderr).toBe(0);
    const isInSync = async (): Promise<void> => {
      const plan = await site.run(["plan", "exported", "--detailed-exitcode"]);
      expect(plan.code, plan.stderr + plan.stdout).toBe(0);
    };
    await isInSync();
    const turned = world.map((each) => ({ ...each, have: each.want ?? each.have }));
    await site.catalog.load(metadataFile(temporaryDirectory(), aspectsOf(turned)));
    const again = await site.run(["export", "exported", "--force"]);
    expect(again.code, again.stderr).toBe(0);
    await isInSync();
  }),
);

test(
  "after a pull there is nothing to do",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const pulled = await site.run(["pull"]);
    expect(pulled.code, pulled.stderr + pulled.stdout).toBe(0);
    expect(await changedIn(site)).toEqual([]);
  }),
);

test(
  "a plan against a snapshot is that against the server, and what is declared at each place is explained",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const { changes } = await site.planned();
    await site.run(["export", "--snapshot", "live.json"]);
    const { stdout } = await runCli(["plan", "--snapshot", "live.json", "--format", "json"], {
      cwd: site.root,
    });
    expect((JSON.parse(stdout) as PlanJson).changes).toEqual(changes);
    for (const urn of new Set(world.map((each) => each.urn))) {
      const explained = await site.run(["explain", urn, "--format", "json"]);
      const { facets } = JSON.parse(explained.stdout) as { facets: readonly ExplainedJson[] };
      const declared = facets.flatMap(({ desired, column, ...place }) =>
        desired ? keyOf({ urn, place: { path: column === undefined ? [] : [column], ...place } }) : [],
      );
      const wanted = world.filter((each) => each.urn === urn && each.want !== undefined).map(keyOf);
      // The name of a domain is declared by its id.
      const own = declared.filter((each) => !each.startsWith(`${urn} name `));
      expect(own.toSorted()).toEqual(wanted.toSorted());
    }
  }),
);

test(
  "a rule does what documents of its assets do",
  counted,
  always(async (world) => {
    const documents = await siteOf(world, { files: documentsOf(world) });
    const rule = await siteOf(world, { files: ruleOf(world) });
    const [byDocuments, byRule] = [await documents.planned(), await rule.planned()];
    const brief = ({ changes }: typeof byRule): unknown =>
      changes.map(({ source: _, rules: _rules, removed: _removed, ...change }) => change);
    expect(byRule.problems).toBeUndefined();
    expect(brief(byRule)).toEqual(brief(byDocuments));
  }),
);
