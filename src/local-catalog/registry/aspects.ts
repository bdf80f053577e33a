import { registryData } from "./registry-data.ts";

const classesByAspect: ReadonlyMap<string, string> = new Map(
  Object.entries(registryData.classes).map(([aspect, name]) => [aspect, `com.linkedin.${name}`]),
);

const aspectsByClass: ReadonlyMap<string, string> = new Map(
  [...classesByAspect].map(([aspect, name]) => [name, aspect]),
);

const timeseriesAspects: ReadonlySet<string> = new Set(registryData.timeseries);

/** The aspect of a class `com.linkedin.…`; undefined if the registry has none. */
export function aspectOfClass(className: string): string | undefined {
  return aspectsByClass.get(className);
}

/** The class `com.linkedin.…` of an aspect; undefined if the registry has none. */
export function classOfAspect(aspect: string): string | undefined {
  return classesByAspect.get(aspect);
}

/** Whether DataHub stores the aspect as points in time, outside its primary store. */
export function isTimeseries(aspect: string): boolean {
  return timeseriesAspects.has(aspect);
}
