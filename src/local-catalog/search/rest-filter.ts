/** Parses the filters in REST searches. */

import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt, stringsAt } from "../json.ts";
import { malformed } from "../errors.ts";
import { isFilterOperator, type AndFilter, type FacetFilter } from "./filter.ts";

/**
 * Parses `{ or: [{ and: [{ field, condition, values }] }] }`, or `{ criteria: […] }` from older clients
 * (metadata/query/filter/Filter.pdl). A scroll request contains `{ and: [{ criteria: […] }] }`. Despite the key `and`, one
 * matching criteria list is enough, as DataHub's Python client documents.
 * @throws RequestError when the filter is invalid.
 */
export function filterOf(sent: Json | undefined): readonly AndFilter[] {
  if (sent === undefined || sent === null) return [];
  if (!isJsonObject(sent)) throw malformed('"filter" must be an object');
  const criteria = objectsAt(sent, "criteria");
  if (criteria.length > 0) return [{ and: criteria.map(criterionOf) }];
  const clauses = objectsAt(sent, "and");
  if (clauses.length > 0)
    return clauses.map((clause) => ({ and: objectsAt(clause, "criteria").map(criterionOf) }));
  return objectsAt(sent, "or").map((clause) => ({ and: objectsAt(clause, "and").map(criterionOf) }));
}

function criterionOf(sent: JsonObject): FacetFilter {
  const field = stringAt(sent, "field");
  if (field === null) throw malformed('A filter criterion has no "field"');
  const condition = stringAt(sent, "condition") ?? "EQUAL";
  if (!isFilterOperator(condition)) throw malformed(`Unknown filter condition: ${condition}`);
  const values = stringsAt(sent, "values");
  const single = stringAt(sent, "value");
  return {
    field,
    values: values.length === 0 && single !== null && single !== "" ? [single] : values,
    condition,
    negated: sent["negated"] === true,
  };
}
