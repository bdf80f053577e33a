/** Reads the JSON output of an earlier `coverage` command, to compare counts. */

import { countedFacets } from "../../facets/index.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Coverage, CoverageCounts } from "../../model/listing.ts";
import { count, fields, list, record, text } from "../../model/schema-parts.ts";
import type { FromSchema } from "../../model/schema-type.ts";
import { fitting, parseObject, type SavedFault } from "./saved-plan.ts";

const facets = countedFacets.map(({ name }) => name);
const counts = {
  assets: count,
  declared: count,
  documents: count,
  rules: count,
  ...fields(count, ...facets),
};

/** The schema for the fields that are read from saved counts. */
const coverageSchema = allOf({
  target: text,
  createdAt: text,
  by: text,
  groups: list(allOf({ key: text, ...counts })),
  total: allOf(counts),
  policies: list(allOf({ id: text, matched: count, passes: count })),
});

/** Returns a schema for an object that has all of the given fields, and possibly other fields. */
function allOf<const Properties extends Readonly<Record<string, JsonObject>>>(properties: Properties) {
  return { ...record(properties), additionalProperties: true } as const;
}

/** Parses the output of `coverage --format json`. Returns the counts, or the reason why the text cannot be used. */
export function parseCoverage(saved: string): { readonly coverage: Coverage } | SavedFault {
  const read = parseObject(saved);
  if ("fault" in read) return read;
  const { value } = read;
  if (value["by"] === undefined || value["total"] === undefined) return { fault: "foreign" };
  const fitted = fitting(coverageSchema, value);
  if ("fault" in fitted) return fitted;
  const { target, createdAt, by, groups, total, policies } = fitted.value;
  return {
    coverage: {
      target,
      createdAt,
      by,
      groups: groups.map((group) => ({ key: group.key, ...countsIn(group) })),
      total: countsIn(total),
      policies,
    },
  };
}

function countsIn(printed: FromSchema<ReturnType<typeof allOf<typeof counts>>>): CoverageCounts {
  const { assets, declared, documents, rules } = printed;
  const byFacet: Readonly<Partial<Record<string, number>>> = printed;
  return {
    assets,
    declared,
    documents,
    rules,
    facets: new Map(facets.map((name) => [name, byFacet[name] ?? 0])),
  };
}
