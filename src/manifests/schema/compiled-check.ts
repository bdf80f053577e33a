/** Compiles schema checks on first use. The build replaces this file with a module that contains precompiled checks. */

import { Ajv, type ValidateFunction } from "ajv";
import { checkedSchemas, checkOptions, checkReferences } from "./checked-schemas.ts";

let ajv: Ajv | undefined;

/** Returns the check with this name; `undefined` if there is none. */
export function compiledCheck(name: string): ValidateFunction | undefined {
  ajv ??= withSchemas(new Ajv({ ...checkOptions, code: { optimize: false } }));
  const reference = checkReferences[name];
  return reference === undefined ? undefined : ajv.getSchema(reference);
}

function withSchemas(empty: Ajv): Ajv {
  for (const [name, { $schema: _, $id: _id, ...body }] of Object.entries(checkedSchemas)) {
    empty.addSchema(body, name);
  }
  return empty;
}
