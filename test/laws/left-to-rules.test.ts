import fc from "fast-check";
import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import { innerKey, isOfColumns } from "../../src/facets/places.ts";
import { isFacetChange } from "../../src/model/change.ts";
import { groupBy } from "../../src/model/group-by.ts";
import { pathKey, placedLeaves } from "../../src/model/place.ts";
import type { Condition, Rule } from "../../src/model/rule.ts";
import type { Entity, FacetValue } from "../../src/model/state.ts";
import { type MadeAspect, metadataFile, openTestCatalog } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";
import { isUndecided } from "./rule-model.ts";
import { aspectsOf, type RuleWorld, ruleWorlds } from "./rule-worlds.ts";
import { savedPlanIn } from "./saved.ts";
import { assignedAspects } from "./stored.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

/** Worlds in which each rule has a priority of its own, so that none clashes with another one, and none with itself. */
const decidedWorlds = decided(ruleWorlds);

/** The same without documents, which may decide what rules do not. */
const worldsOfRules = decided(ruleWorlds.map((world) => ({ ...world, state: new Map() })));

function decided(those: fc.Arbitrary<RuleWorld>): fc.Arbitrary<RuleWorld> {
  return those
    .map((world) => ({ ...world, rules: world.rules.map((rule, priority) => ({ ...rule, priority })) }))
    .filter((world) => !world.assets.some((asset) => isUndecided(world, asset)));
}

/** What these laws look at of a change. */
interface Changed {
  readonly urn: string;
  readonly kind: string;
  readonly facet: string;
  readonly path?: readonly string[];
  readonly before?: unknown;
  readonly remove?: readonly unknown[];
  readonly rules?: readonly string[];
}

test(
  "after an export beside rules a plan only adds what rules declare, and once that is applied both are in sync",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(worldsOfRules, async (world) => {
        await inCatalog(world, [], async (run) => {
          const exported = await run("export");
          expect(exported.code, exported.stderr).toBe(0);
          const changes = await planned(run);
          expect(changes.filter(({ rules }) => rules === undefined)).toEqual([]);
          expect(changes.filter(({ before, remove = [] }) => before || remove.length > 0)).toEqual([]);

          const applied = await run("apply", "--auto-approve");
          expect(applied.code, applied.stderr).toBe(0);
          expect((await run("export")).code).toBe(0);
          expect(await planned(run)).toEqual([]);
          expect((await run("export")).stdout).toMatch(/: 0 files created, 0 updated, \d+ unchanged\.$/m);
        });
      }),
      { numRuns },
    );
  },
);

test(
  "after a pull beside rules a plan has no changes but those that were left to rules",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(decidedWorlds, async (world) => {
        await inCatalog(world, documentsIn(world), async (run) => {
          const first = await run("pull");
          const changes = await planned(run);
          expect(first.code).toBe(changes.length > 0 ? 6 : 0);
          expect(changes.filter((change) => !isLeft(change, first.stderr))).toEqual([]);
          expect(toldIn(first.stderr)).toBe(changes.length);

          expect((await run("pull")).stdout).toBe("");
        });
      }),
      { numRuns },
    );
  },
);

type Run = (...argv: readonly string[]) => Promise<Ran>;

/** Runs commands in a directory with these manifests, against a catalog that holds a world. */
async function inCatalog(
  world: RuleWorld,
  documents: readonly object[],
  use: (run: Run) => Promise<void>,
): Promise<void> {
  const all = [{ kind: "Tag", id: "x", name: "x" }, ...rulesIn(world), ...documents, ...exemptIn(world)];
  // Quoted it would be the text.
  const text = all.map((each) => JSON.stringify(each).replaceAll(':"none"', ": none")).join("\n---\n");
  await withFiles({ "catalog/all.yaml": text }, async (cwd) => {
    const { catalog, close } = await openTestCatalog();
    try {
      await catalog.load(metadataFile(cwd, [...aspectsOf(world), ...assignedIn(world)]));
      await use((...argv) => runCli([...argv, "--server", catalog.url], { cwd }));
    } finally {
      await close();
    }
  });
}

async function planned(run: Run): Promise<readonly Changed[]> {
  const { stdout } = await run("plan", "--format", "json");
  return savedPlanIn(stdout).changes.filter(isFacetChange);
}

/**
 * Whether a pull says that it leaves a change to its rules: by itself, or in the sentence of others like it. What documents
 * declare too is not behind a change as a rule's own.
 */
function isLeft({ urn, kind, facet, path, rules = [] }: Changed, told: string): boolean {
  const singly = `not pulled: ${kind} ${urn}: ${facet}${path ? ` of column ${path.join()}` : ""}: `;
  return told
    .split("\n")
    .filter(
      (line) => rulesNamed(line).length > 0 && rules.every((id) => rulesNamed(line).includes(`\`${id}\``)),
    )
    .some((line) => line.includes(singly) || (line.includes(`: ${facet}`) && othersIn(line) > 0));
}

function rulesNamed(line: string): readonly string[] {
  return /: declared by rules? (.*); edit the rule/.exec(line)?.[1]?.split(", ") ?? [];
}

/** How many changes the sentences are about. */
function toldIn(told: string): number {
  const lines = told.split("\n").filter((line) => line.includes("not pulled: "));
  return lines.reduce((sum, line) => sum + 1 + othersIn(line), 0);
}

function othersIn(line: string): number {
  return Number(/, and (\d+) more like it: /.exec(line)?.[1] ?? 0);
}

function rulesIn({ rules }: RuleWorld): readonly object[] {
  return rules.filter(isSomething).map(({ id, kind, conditions, exclusions, facets, columns, priority }) => ({
    kind: "Rule",
    id,
    priority,
    match: { kind, ...matchIn(conditions), ...(exclusions.length > 0 && { not: exclusions.map(matchIn) }) },
    declare: {
      ...fieldsIn(facets),
      ...(columns.length > 0 && {
        columns: Object.fromEntries(
          columns.map(({ pattern, nativeTypes, facets: own }) => [
            pattern,
            { ...belowColumn(own), ...(nativeTypes && { native_type: nativeTypes }) },
          ]),
        ),
      }),
    },
  }));
}

function isSomething({ facets, columns }: Rule): boolean {
  return facets.size + columns.length > 0;
}

function matchIn(conditions: readonly Condition[]): object {
  return Object.fromEntries(conditions.map(({ key, patterns }) => [key, patterns]));
}

function exemptIn({ exempt, rules, live }: RuleWorld): readonly object[] {
  const known = new Set(rules.filter(isSomething).map(({ id }) => id));
  return [...exempt].flatMap(([urn, ids]): readonly object[] => {
    const own = [...ids].filter((id) => known.has(id));
    const kind = live.get(urn)?.kind;
    return own.length > 0 && kind !== undefined ? [{ kind, urn, exempt: own }] : [];
  });
}

function documentsIn({ state }: RuleWorld): readonly object[] {
  return [...state.values()].map(({ urn, kind, facets }) => ({ kind, urn, ...fieldsIn(facets) }));
}

function fieldsIn(facets: Entity["facets"]): object {
  const own = [...facets].filter(([name]) => !isOfColumns(name));
  const below = groupBy(
    placedLeaves(facets).filter(({ place }) => place.path),
    ({ place }) => pathKey(place.path),
  );
  const columns = [...below].map(
    ([column, leaves]) =>
      [column, belowColumn(new Map(leaves.map(({ place, leaf }) => [place.facet, leaf])))] as const,
  );
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, writtenPart(name, value)])),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
  };
}

function belowColumn(facets: Entity["facets"]): object {
  return Object.fromEntries(
    [...facets].map(([name, value]) => [innerKey({ name }), writtenPart(name, value)]),
  );
}

function writtenPart(facet: string, value: FacetValue): unknown {
  if (value.shape === "set") return value.members.map((member) => facetNamed(facet).written(member));
  return (value.shape === "scalar" && value.value) || "none";
}

/** What the catalog has of each asset, as aspects. */
function assignedIn({ live }: RuleWorld): readonly MadeAspect[] {
  return [...live.values()].flatMap((entity) => assignedAspects(entity));
}
