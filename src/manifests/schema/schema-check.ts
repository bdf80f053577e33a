/** Checks a value against a schema. */

import type { ErrorObject } from "ajv";
import { compiledCheck } from "./compiled-check.ts";

/** Returns the errors from the check with this name; empty if the value fits. Throws if there is no such check. */
export function schemaErrors(name: string, value: unknown): readonly ErrorObject[] {
  const check = compiledCheck(name);
  if (!check) throw new Error(`there is no schema for ${name}`);
  return check(value) ? [] : (check.errors ?? []);
}
