import { resolve } from "node:path";
import { readDesired } from "../../src/manifests/documents/desired-state.ts";
import { type BaseReading, readBase } from "../../src/workflow/scope/history.ts";
import { messageOf } from "../../src/report/document/problems.ts";

/** Where a base is asked for, unless in `catalog` of the working directory. */
export interface Asked {
  readonly cwd: string;
  readonly dir?: string;
  readonly settings?: string;
  readonly signal?: AbortSignal;
}

/** The base of a directory as a run reads it: the manifests first. */
export async function baseAt(
  ref: string,
  { cwd, dir = "catalog", signal, ...options }: Asked,
): Promise<BaseReading> {
  const declared = await readDesired(dir, { cwd, ...options });
  return await readBase(ref, { root: resolve(cwd, dir), cwd, ...options, declared, signal });
}

/** What a base declares, an entity a line with its description and place; or the code for which it is unknown. */
export function briefBase(base: BaseReading): readonly string[] {
  if ("reason" in base) return [base.reason.code];
  return [...base.declared.state.values()].map(({ urn, facets, origin }) => {
    const text = facets.get("description");
    const description = text?.shape === "scalar" && typeof text.value === "string" ? ` ${text.value}` : "";
    return `${urn.split(":").at(-1)}${description} ${origin?.file}:${origin?.line}`;
  });
}

/** Why a base is not known, as a person reads it. */
export function reasonIn(base: object): string {
  return "reason" in base ? messageOf(base.reason as Parameters<typeof messageOf>[0]) : "it is known";
}

/** A manifest of a tag. */
export function tag(id: string, description?: string): string {
  return `kind: Tag\nid: ${id}\n${description === undefined ? "" : `description: ${description}\n`}`;
}
