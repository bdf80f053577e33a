import { Ajv, type ValidateFunction } from "ajv";
import type { JsonObject } from "../../src/model/json.ts";
import { planSchema } from "../../src/report/saved/plan-schema.ts";
import { reportSchema } from "../../src/report/saved/report-schema.ts";

const ajv = new Ajv({ allowUnionTypes: true, code: { optimize: false } });

/** What is wrong with the JSON of a plan by its schema; `null` where it fits. */
export const planErrors = errorsBy(planSchema);

/** What is wrong with the JSON of a report by its schema; `null` where it fits. */
export const reportErrors = errorsBy(reportSchema);

/** To compile a schema takes as long as a few commands: only tests that use it do. */
function errorsBy(schema: JsonObject): (json: unknown) => ValidateFunction["errors"] {
  let validate: ValidateFunction | undefined;
  return (json) => {
    validate ??= ajv.compile(schema);
    return validate(json) ? null : validate.errors;
  };
}
