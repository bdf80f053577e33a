import type { ErrorObject } from "ajv";
import { compiledCheck } from "./compiled-check.ts";

/** The errors of a value by one of `checkReferences`; empty where it fits the schema. */
export function schemaErrors(name: string, value: unknown): readonly ErrorObject[] {
  const check = compiledCheck(name);
  if (!check) throw new Error(`there is no schema for ${name}`);
  return check(value) ? [] : (check.errors ?? []);
}
