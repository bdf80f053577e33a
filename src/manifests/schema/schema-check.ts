/** Checks values against schemas. */

import type { ErrorObject } from "ajv";
import { compiledCheck } from "./compiled-check.ts";

/** Runs the check with this name, and returns its errors; empty if the value is valid. Throws if there is no such check. */
export function schemaErrors(name: string, value: unknown): readonly ErrorObject[] {
  const check = compiledCheck(name);
  if (!check) throw new Error(`there is no schema for ${name}`);
  return check(value) ? [] : (check.errors ?? []);
}
