import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isDefinitionKind } from "../../src/kinds/index.ts";
import { facetNamed } from "../../src/facets/index.ts";
import { isOfColumns } from "../../src/facets/places.ts";
import { readDesired } from "../../src/manifests/documents/desired-state.ts";
import { manifestKeys } from "../../src/manifests/schema/schema.ts";
import { type Change, isSetChange } from "../../src/model/change.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  type Member,
  type Scalar,
  type ScalarValue,
  setOf,
  type SetValue,
  type State,
} from "../../src/model/state.ts";
import { keyOf, type Urn } from "../../src/model/urn.ts";
import { unitedFacets } from "../../src/plan/base/declared-before.ts";
import { selfReferencesByOthers } from "../../src/plan/checks/reference-cycles.ts";
import { type Pulled, pullChanges } from "../../src/workflow/pull/pull.ts";
import { openRepository } from "../../src/workflow/scope/repository.ts";
import { withFiles } from "../support/manifest-files.ts";
import { planOf, type World, worlds } from "./worlds.ts";
import { counted, runsOf } from "../support/runs.ts";
import type { Desired } from "../../src/manifests/base/desired.ts";

const numRuns = runsOf(16);

/** Draws one of so many ways in which something can be written. */
type Draw = (ways: number) => number;

test(
  "after a pull a plan has no changes but those that were left, and every comment on a line of its own stays",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.infiniteStream(fc.nat(1000)), async (drawn, ways) => {
        const world = { ...drawn, prune: undefined };
        const draw: Draw = (of) => (ways.next().value as number) % of;
        const files = manifestsOf(world.desired.state, draw);
        fc.pre(Object.keys(files).length > 0);
        // A cycle of terms is refused, in manifests and in what a pull would write.
        fc.pre(selfReferencesByOthers(united(world.desired.state, world.live)).length === 0);
        await withFiles(files, async (cwd) => {
          const { changes } = planOf(await declaredIn(cwd, world));
          const pulled = await pullIn(cwd, changes);
          expect(pulled.problems).toEqual([]);
          for (const { path, before, after } of pulled.files) {
            expect(commentsIn(after)).toEqual(commentsIn(before));
            writeFileSync(path, after);
          }

          const again = planOf(await declaredIn(cwd, world)).changes;
          expect(again.filter((change) => !isLeft(change, pulled, changes))).toEqual([]);
          expect((await pullIn(cwd, again)).files).toEqual([]);
          const untouched = Object.keys(files).filter(
            (name) => !pulled.files.some((file) => file.name === name),
          );
          for (const name of untouched) expect(readFileSync(join(cwd, name), "utf8")).toBe(files[name]);
        });
      }),
      { numRuns },
    );
  },
);

/** The entities of two states, each with the values of both. */
function united(first: State, second: State): State {
  const facetsOf = (urn: Urn): readonly Entity["facets"][] =>
    [first, second].flatMap((state) => state.get(urn)?.facets ?? []);
  return new Map(
    [...first, ...second].map(([urn, entity]) => [urn, { ...entity, facets: unitedFacets(facetsOf(urn)) }]),
  );
}

async function read(cwd: string): Promise<Desired> {
  const desired = await readDesired("catalog", { cwd });
  expect(desired.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return desired;
}

/** A world that declares what the manifests of a directory do. */
async function declaredIn(cwd: string, world: World): Promise<World> {
  return { ...world, desired: { state: (await read(cwd)).state } };
}

async function pullIn(cwd: string, changes: readonly Change[]): Promise<Pulled> {
  const repository = await openRepository({ cwd, directory: "catalog" });
  return await pullChanges({ changes, isAsked: () => true, desired: await read(cwd), repository });
}

/** Whether a change was named as left: its entity is not there, a manifest cannot say it, or its user is not there. */
function isLeft(change: Change, { left }: Pulled, before: readonly Change[]): boolean {
  const created = new Set<unknown>(before.flatMap(({ action, urn }) => (action === "create" ? [urn] : [])));
  if (created.has(change.urn)) return true;
  if (left.some((each) => each.change.urn === change.urn && each.change.facet === change.facet)) return true;
  return isSetChange(change) && change.remove.length === 0 && change.add.every((user) => created.has(user));
}

/** Manifests that declare a state, each in its own layout. */
function manifestsOf(state: State, draw: Draw): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entity of state.values()) {
    for (const part of draw(2) === 0 ? [entity] : partsOf(entity, draw)) {
      const file = `catalog/${draw(4)}.yaml`;
      files[file] = `${files[file] ?? "# A comment.\n"}---\n${manifestOf(part, draw)}`;
    }
  }
  return files;
}

/** Two parts of an entity, each with some of its facets, columns and elements, or with all of them. */
function partsOf({ facets, manage, ...entity }: Entity, draw: Draw): readonly Entity[] {
  const divided = [...facets].map(([name, value]) => [name, dividedValue(value, draw)] as const);
  return [0, 1].map((index) => {
    const own = divided.flatMap(([name, values]): readonly [string, FacetValue][] => {
      const value = values[index];
      return value ? [[name, value]] : [];
    });
    return { ...entity, facets: new Map(own), ...(index === 0 && manage && { manage }) };
  });
}

type Divided<Value> = readonly [Value | undefined, Value | undefined];

function dividedValue(value: FacetValue, draw: Draw): Divided<FacetValue> {
  if (value.shape !== "map") return dividedPart(value, draw);
  const entries = [...value.entries].map(([column, entry]) => [column, dividedValue(entry, draw)] as const);
  const part = (index: 0 | 1): FacetValue => ({
    shape: "map",
    entries: new Map(entries.flatMap(([column, own]) => (own[index] ? [[column, own[index]]] : []))),
  });
  return [part(0), part(1)];
}

function dividedPart(value: ScalarValue | SetValue, draw: Draw): Divided<ScalarValue | SetValue> {
  const where = draw(3);
  if (where < 2) return where === 0 ? [value, undefined] : [undefined, value];
  if (value.shape === "scalar") return [value, value];
  const choices = value.members.map((member) => ({ member, choice: draw(3) }));
  const part = (index: number): SetValue =>
    setOf(choices.filter(({ choice }) => choice !== index).map(({ member }) => member));
  return [part(0), part(1)];
}

function manifestOf({ kind, urn, facets, manage = {} }: Entity, draw: Draw): string {
  const identity = isDefinitionKind(kind)
    ? `id: ${JSON.stringify(keyOf(urn))}`
    : `urn: ${JSON.stringify(urn)}`;
  const fields = [...facets].flatMap(([name, value]) =>
    value.shape === "map" && isOfColumns(name) ? [] : linesOf(name, name, value, draw),
  );
  const modes = Object.keys(manage).length === 0 ? [] : [`manage: ${JSON.stringify(manage)}`];
  return [`kind: ${kind}`, identity, ...modes, ...fields, ...columnsOf(facets, draw), ""].join("\n");
}

function columnsOf(facets: Entity["facets"], draw: Draw): readonly string[] {
  const columns = new Map<string, string[]>();
  for (const [name, value] of facets) {
    if (!isOfColumns(name) || value.shape !== "map") continue;
    const [, key = ""] = manifestKeys({ facet: name });
    for (const [column, below] of value.entries) {
      const lines = linesOf(name, key, below, draw);
      if (lines.length === 0) continue;
      columns.set(column, [...(columns.get(column) ?? []), ...lines]);
    }
  }
  if (columns.size === 0) return [];
  const indented = [...columns].flatMap(([column, lines]) => [
    `  ${column}:`,
    ...lines.flatMap((line) => line.split("\n")).map((line) => `    ${line}`),
  ]);
  return ["columns:", ...indented];
}

/** A field, or where it is a map one of fields by its keys. */
function linesOf(facet: string, key: string, value: FacetValue, draw: Draw): readonly string[] {
  if (value.shape !== "map") return fieldOf(facet, key, value, draw);
  const below = [...value.entries].flatMap(([each, own]) => linesOf(facet, JSON.stringify(each), own, draw));
  if (below.length === 0) return [];
  return [`${key}:`, ...below.flatMap((line) => line.split("\n")).map((line) => `  ${line}`)];
}

function fieldOf(facet: string, key: string, value: Leaf, draw: Draw): readonly string[] {
  if (value.shape === "set") return listOf(facet, key, value.members, draw);
  return [`# On ${facet}.`, `${key}: ${scalarOf(value.value, draw)}`];
}

function scalarOf(value: Scalar, draw: Draw): string {
  if (value === null) return "none # unset";
  const quoted = JSON.stringify(value);
  if (typeof value !== "string") return quoted;
  return [quoted, `${quoted} # it is`, `'${value}'`, `|-\n  ${value}`][draw(4)] ?? quoted;
}

function listOf(facet: string, key: string, members: readonly Member[], draw: Draw): readonly string[] {
  const written = members.map((member) => elementOf(facet, member, draw));
  if (members.length === 0) return [`${key}: []`];
  if (draw(3) === 0) return [`${key}: [${written.join(", ")}] # all`];
  if (draw(3) === 0) return [`${key}: [`, ...written.map((each) => `  ${each}, # one`), "]"];
  const indent = draw(2) === 0 ? "" : "  ";
  return [`${key}:`, ...written.flatMap((each) => [`${indent}# Above.`, `${indent}- ${each} # beside`])];
}

function elementOf(facet: string, member: Member, draw: Draw): string {
  const written = JSON.stringify(facetNamed(facet).written(member));
  if (typeof member !== "string") return written;
  if (facet === "members" && draw(3) === 0) return `{ id: ${written} }`;
  return [written, JSON.stringify(member)][draw(2)] ?? written;
}

function commentsIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => /^\s*# /.test(line));
}
