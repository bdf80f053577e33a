import { assetKinds, definitionKinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { without } from "../../../src/model/state.ts";
import {
  type Assigning,
  column,
  expectStored,
  operationsAt,
  operationsOf,
  otherNames,
  type Place,
  places,
  type Round,
  rounds,
  valuesOf,
  writtenOf,
} from "../assigned-places.ts";
import { expectEqual } from "../expect-equal.ts";
import { makeAsset } from "../made-assets.ts";
import { facetRow, isOfAnyVersion, kindRow } from "../required.ts";
import { NotAvailable, type Trial, type Trying } from "../trial.ts";
import type { Applied } from "../workspace.ts";

const byMutations: Assigning = { name: "assignments", writes: "graphql", mode: "authoritative", places };
const byProposals: Assigning = { name: "conditional", writes: "conditional", mode: "authoritative", places };

/** A single value is written for the version that was read, and all that is written to its aspect with it. */
const besideOthers: Assigning = {
  name: "merged",
  writes: "conditional",
  mode: "merge",
  places: places.filter(({ facet }) => facet.set),
};

const proposals = operationsOf(byProposals).filter((name) => !isOfAnyVersion(name));

/** Values are assigned, replaced and taken away, by the mutations of the UI. */
export const assignments = assigning(byMutations, [
  ...assetKinds.map(kindRow),
  ...places.map(({ kind, facet }) => facetRow(kind, facet.name)),
  ...without(operationsOf(byMutations), proposals).map(String),
]);

/** The same by proposals that hold only for the version that was read. */
export const conditionalAssignments = assigning(byProposals, proposals);

/** The same by proposals that leave alone what others add meanwhile. */
export const mergedAssignments = assigning(besideOthers, operationsOf(besideOthers).filter(isOfAnyVersion));

function assigning(how: Assigning, rows: readonly string[]): Trial {
  return {
    name: how.name,
    tries: rows,
    run: async (trying) => {
      trying.settings({ writes: how.writes, manage: how.mode });
      for (const kind of assetKinds) await makeAsset(trying, kind, "main");
      trying.declare({ "others.yaml": othersOf(trying), "main.yaml": definitionsOf(trying) });
      trying.goOn(await trying.apply());
      for (const round of rounds) {
        trying.declare({
          "main.yaml": definitionsOf(trying, { how, round }),
          "assets.yaml": assetsOf(trying, { how, round }),
        });
        const applied = await trying.apply();
        const refusal = /^.*does not support conditional writes.*$/m.exec(applied.stderr)?.[0];
        if (refusal !== undefined) return await allNotAvailable(rows, refusal, trying);
        await checkRound({ how, round, applied, rows }, trying);
        trying.goOn(applied);
      }
    },
  };
}

async function allNotAvailable(names: readonly string[], why: string, trying: Trying): Promise<void> {
  for (const name of names) {
    await trying.check(name, async () => {
      throw new NotAvailable(why);
    });
  }
}

/** What is assigned. */
function othersOf(trying: Trying): readonly JsonObject[] {
  const assigned = new Set(places.flatMap(({ facet }) => facet.refersTo));
  return definitionKinds
    .filter(({ entityType }) => assigned.has(entityType))
    .flatMap((kind) => otherNames.map((name) => document(trying, kind, name)));
}

function definitionsOf(trying: Trying, assigned?: Assigned): readonly JsonObject[] {
  return definitionKinds.map((kind) => document(trying, kind, "main", assigned));
}

function assetsOf(trying: Trying, assigned: Assigned): readonly JsonObject[] {
  return assetKinds.map((kind) => document(trying, kind, "main", assigned));
}

function document(trying: Trying, kind: Kind, name: string, assigned?: Assigned): JsonObject {
  const own = assigned?.how.places.filter((place) => place.kind === kind) ?? [];
  const ofEntity = own.filter(({ facet }) => facet.shape !== "map");
  const ofColumn = own.filter(({ facet }) => facet.shape === "map");
  const written = ({ facet }: Place): Json =>
    writtenOf(facet, valuesOf(facet, assigned?.round ?? 0, trying.urnOf));
  return {
    kind: kind.name,
    ...kind.identityOf(trying.urnOf(kind, name)),
    ...Object.fromEntries(ofEntity.map((place) => [place.facet.name, written(place)])),
    ...(ofColumn.length > 0 && {
      columns: {
        [column]: Object.fromEntries(
          ofColumn.map((place) => [place.facet.name.slice("columns.".length), written(place)]),
        ),
      },
    }),
  };
}

/** What a round assigns. */
interface Assigned {
  readonly how: Assigning;
  readonly round: Round;
}

/** An apply of a round. */
interface Done extends Assigned {
  readonly applied: Applied;
  readonly rows: readonly string[];
}

async function checkRound({ how, round, applied, rows }: Done, trying: Trying): Promise<void> {
  const checks = new Map<string, (() => Promise<void>)[]>();
  for (const place of how.places) {
    const { kind, facet } = place;
    const check = (): Promise<void> => expectStored(place, round, trying);
    const row = facetRow(kind, facet.name);
    if (rows.includes(row)) await trying.check(row, check, applied);
    for (const name of new Set(operationsAt(how, place, round, trying.urnOf))) {
      checks.set(name, [...(checks.get(name) ?? []), check]);
    }
  }
  for (const [name, own] of checks) {
    if (!rows.includes(name)) continue;
    await trying.operation(name, applied, async () => {
      for (const check of own) await check();
    });
  }
  for (const kind of assetKinds) {
    if (!rows.includes(kindRow(kind))) continue;
    await trying.check(kindRow(kind), async () => {
      const { status } = await trying.stored.aspects(trying.urnOf(kind, "main"));
      expectEqual(`whether the ${kind.noun} is soft-deleted`, status?.["removed"], false);
    });
  }
}
