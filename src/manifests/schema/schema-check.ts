import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { kinds } from "../../kinds/index.ts";
import type { JsonObject } from "../../model/json.ts";
import { schemaOf, settingsSchema } from "./schema.ts";

/** The errors of a value; empty where the value fits the schema. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

let ajv: Ajv | undefined;
const checks = new Map<string, ValidateFunction>();

/** Checks a manifest of a kind. Each schema is compiled at first use. */
export function manifestCheck(kindName: string): SchemaCheck {
  return checkOf(kindName, () => {
    const kind = kinds.find(({ name }) => name === kindName);
    return kind ? schemaOf(kind) : {};
  });
}

/** Checks the settings. */
export const settingsCheck: SchemaCheck = (value) => checkOf("settings", () => settingsSchema)(value);

function checkOf(name: string, schema: () => JsonObject): SchemaCheck {
  let check = checks.get(name);
  if (!check) {
    // A test proves that our schemas are valid. Checking them again would cost each run as much as 1,000 manifests.
    ajv ??= new Ajv({
      allErrors: true,
      verbose: true,
      strict: false,
      validateSchema: false,
      meta: false,
      code: { optimize: false },
    });
    const { $schema: _, ...body } = schema();
    check = ajv.compile(body);
    checks.set(name, check);
  }
  const compiled = check;
  return (value) => (compiled(value) ? [] : (compiled.errors ?? []));
}
