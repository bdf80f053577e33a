import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt, stringsAt } from "../json.ts";
import { malformed } from "../errors.ts";
import type { AndFilter, FacetFilter } from "./filter.ts";

const conditions = new Set([
  "CONTAIN",
  "EQUAL",
  "IEQUAL",
  "IN",
  "EXISTS",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL_TO",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL_TO",
  "START_WITH",
  "END_WITH",
  "DESCENDANTS_INCL",
  "ANCESTORS_INCL",
  "RELATED_INCL",
]);

/**
 * The filter of a REST search: `{ or: [{ and: [{ field, condition, values }] }] }`, of older clients
 * `{ criteria: […] }` (metadata/query/filter/Filter.pdl). A scroll has `{ and: [{ criteria: […] }] }`, where one of the
 * lists has to hold, as DataHub's Python client documents it.
 * @throws RequestError when it is none.
 */
export function filterOf(sent: Json | undefined): readonly AndFilter[] {
  if (sent === undefined || sent === null) return [];
  if (!isJsonObject(sent)) throw malformed('"filter" is not an object');
  const criteria = objectsAt(sent, "criteria");
  if (criteria.length > 0) return [{ and: criteria.map(criterionOf) }];
  const clauses = objectsAt(sent, "and");
  if (clauses.length > 0)
    return clauses.map((clause) => ({ and: objectsAt(clause, "criteria").map(criterionOf) }));
  return objectsAt(sent, "or").map((clause) => ({ and: objectsAt(clause, "and").map(criterionOf) }));
}

function criterionOf(sent: JsonObject): FacetFilter {
  const field = stringAt(sent, "field");
  if (field === null) throw malformed('A criterion of the filter has no "field"');
  const condition = stringAt(sent, "condition") ?? "EQUAL";
  if (!conditions.has(condition)) throw malformed(`The condition ${condition} of the filter is not known`);
  const values = stringsAt(sent, "values");
  const single = stringAt(sent, "value");
  return {
    field,
    values: values.length === 0 && single !== null && single !== "" ? [single] : values,
    condition: condition as NonNullable<FacetFilter["condition"]>,
    negated: sent["negated"] === true,
  };
}
