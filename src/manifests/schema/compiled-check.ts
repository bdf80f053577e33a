import { Ajv, type ValidateFunction } from "ajv";
import { checkedSchemas, checkOptions } from "./checked-schemas.ts";

let ajv: Ajv | undefined;
const checks = new Map<string, ValidateFunction>();

/** The check by one of `checkedSchemas`, compiled at first use. In the build a module with compiled checks replaces this one. */
export function compiledCheck(name: string): ValidateFunction | undefined {
  const schema = checkedSchemas[name];
  let check = checks.get(name);
  if (!check && schema) {
    ajv ??= new Ajv({ ...checkOptions, code: { optimize: false } });
    const { $schema: _, ...body } = schema;
    check = ajv.compile(body);
    checks.set(name, check);
  }
  return check;
}
