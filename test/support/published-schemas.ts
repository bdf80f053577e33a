import { Ajv, type ValidateFunction } from "ajv";
import { planSchema } from "../../src/report/saved/plan-schema.ts";
import { reportSchema } from "../../src/report/saved/report-schema.ts";

const ajv = new Ajv({ allowUnionTypes: true, code: { optimize: false } });

/** What is wrong with the JSON of a plan by its schema; `null` where it fits. To compile it takes as long as a few commands. */
export const planErrors = errorsBy(ajv.compile(planSchema));

/** What is wrong with the JSON of a report by its schema; `null` where it fits. */
export const reportErrors = errorsBy(ajv.compile(reportSchema));

function errorsBy(validate: ValidateFunction): (json: unknown) => ValidateFunction["errors"] {
  return (json) => (validate(json) ? null : validate.errors);
}
