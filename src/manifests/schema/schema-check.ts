import type { ErrorObject } from "ajv";
import { compiledCheck } from "./compiled-check.ts";

/** The errors of a value; empty where the value fits the schema. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

/** Checks a manifest of a kind. */
export function manifestCheck(kindName: string): SchemaCheck {
  return (value) => errorsOf(kindName, value);
}

/** Checks the settings. */
export const settingsCheck: SchemaCheck = (value) => errorsOf("settings", value);

function errorsOf(name: string, value: unknown): readonly ErrorObject[] {
  const check = compiledCheck(name);
  if (!check) throw new Error(`there is no schema for ${name}`);
  return check(value) ? [] : (check.errors ?? []);
}
