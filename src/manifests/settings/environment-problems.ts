import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import { appliedRefs } from "../../model/settings.ts";
import { errorAt } from "../problem.ts";
import type { Checked } from "../schema/schema-problems.ts";
import { originAt } from "./origin-at.ts";

/** An environment as the settings write it. */
type Named = readonly [name: string, own: JsonObject];

/** The environments of settings that are mappings, in the order of the file. */
export function environmentsIn({ value }: Checked): readonly Named[] {
  const { environments } = value;
  if (!isJsonObject(environments)) return [];
  return Object.entries(environments).flatMap(([name, own]) => (isJsonObject(own) ? [[name, own]] : []));
}

/** The problems with the names and the bases of environments. */
export function environmentProblems(checked: Checked): readonly Problem[] {
  const each = environmentsIn(checked);
  return [
    ...each.flatMap(([name]) => nameProblems(checked, name)),
    ...each.flatMap((named) => baseProblems(checked, named)),
    ...sharedBaseProblems(checked, each),
  ];
}

// The name becomes a word of a command line, and a part of messages.
function nameProblems(checked: Checked, name: string): readonly Problem[] {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return [];
  return [errorAt(originAt(checked, ["environments", name], true), "environment-name", { name })];
}

// Written in one way only, and where an apply can move it, so that two environments cannot share one unnoticed.
function baseProblems(checked: Checked, [name, { base }]: Named): readonly Problem[] {
  if (typeof base !== "string" || base === "") return [];
  if (base.startsWith(appliedRefs) && base.split("/").every((part) => /^[\w-][\w.-]*$/.test(part))) return [];
  return [errorAt(originAt(checked, ["environments", name, "base"]), "environment-base", { text: base })];
}

/** A ref says what was applied to one server, so it is that of one environment only, its own or that of all. */
function sharedBaseProblems(checked: Checked, each: readonly Named[]): readonly Problem[] {
  const first = new Map<string, Origin>();
  return each.flatMap(([name, own]) => {
    const isOwn = own["base"] !== undefined;
    const base = isOwn ? own["base"] : checked.value["base"];
    if (typeof base !== "string" || base === "") return [];
    const path = ["environments", name, ...(isOwn ? ["base"] : [])];
    const origin = originAt(checked, path, !isOwn);
    // Where the names of files have no case, refs have none either.
    const before = first.get(base.toLowerCase());
    if (before) return [errorAt(origin, "same-base", { text: base }, before)];
    first.set(base.toLowerCase(), origin);
    return [];
  });
}
