import { expect } from "vitest";
import { type Imported, readImports } from "../../../src/manifests/import/import-files.ts";
import { type FacetValue, memberKey } from "../../../src/model/state.ts";
import { briefly, withFiles } from "../../support/manifest-files.ts";

/** What a file of another format declares, and what is wrong with it. */
export async function imported(text: string | Buffer, enableAutoId = false): Promise<Imported> {
  return await withFiles({ "g.yml": text }, (cwd) => readImports(["g.yml"], cwd, { enableAutoId }));
}

/** What a file without errors declares of an entity, by facet: elements of lists as texts. All URNs where it does not declare it. */
export async function declaredOf(urn: string, text: string, enableAutoId = false): Promise<unknown> {
  const { state, problems } = await imported(text, enableAutoId);
  expect(briefly(problems)).toEqual([]);
  const entity = [...state.values()].find((each) => each.urn === urn);
  if (!entity) return [...state.keys()];
  return Object.fromEntries([...entity.facets].map(([facet, value]) => [facet, plain(value)]));
}

/** The element of an owner with a type. */
export function ownerKey(owner: string, type: string): string {
  return memberKey({ owner, type: `urn:li:ownershipType:${type}` });
}

/** What is left out of a file, each with its place. */
export async function leftOutOf(text: string): Promise<readonly string[]> {
  const { leftOut, problems } = await imported(text);
  expect(briefly(problems)).toEqual([]);
  return leftOut.map(({ origin, what }) => `${origin.line}:${origin.column} ${what}`);
}

function plain(value: FacetValue): unknown {
  if (value.shape === "set") return value.members.map(memberKey);
  return value.shape === "scalar" ? value.value : value;
}
