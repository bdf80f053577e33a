/** Reads DataHub's registry of entities and aspects from `schemas/datahub-registry.json`, and finds aspect classes. */

import { readFileSync } from "node:fs";
import { packageFile } from "../../files/package-file.ts";

/** The extract from DataHub's registry that `test/contract/registry.mjs` generates. */
interface RegistryData {
  /** Timeseries aspects, which DataHub stores in its search index instead of its primary store. */
  readonly timeseries: readonly string[];
  readonly entities: Readonly<Record<string, EntityRow>>;
  /** Each aspect's class name, without the leading `com.linkedin.`. */
  readonly classes: Readonly<Record<string, string>>;
  /** The records and enums in aspects, in the notation that `registry.mjs` describes. */
  readonly records: readonly string[];
}

interface EntityRow {
  readonly keyAspect: string;
  /** The names of the key fields, in the same order as in the URN. */
  readonly keyFields: readonly string[];
  /** The type's aspects, except for the key aspect. */
  readonly aspects: readonly string[];
}

/** DataHub's registry, as read from the file. */
export const registryData: RegistryData = JSON.parse(
  readFileSync(packageFile("schemas/datahub-registry.json"), "utf8"),
);

const classesByAspect: ReadonlyMap<string, string> = new Map(
  Object.entries(registryData.classes).map(([aspect, name]) => [aspect, `com.linkedin.${name}`]),
);

const aspectsByClass: ReadonlyMap<string, string> = new Map(
  [...classesByAspect].map(([aspect, name]) => [name, aspect]),
);

const timeseriesAspects: ReadonlySet<string> = new Set(registryData.timeseries);

/** Returns the aspect with the given class `com.linkedin.…`, or undefined if the registry has none. */
export function aspectOfClass(className: string): string | undefined {
  return aspectsByClass.get(className);
}

/** Returns an aspect's class `com.linkedin.…`, or undefined if the aspect is not in the registry. */
export function classOfAspect(aspect: string): string | undefined {
  return classesByAspect.get(aspect);
}

/** Whether an aspect is a timeseries aspect, which DataHub stores outside its primary store. */
export function isTimeseries(aspect: string): boolean {
  return timeseriesAspects.has(aspect);
}
