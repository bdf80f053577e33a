/** Reads the JSON that `coverage` printed, to compare counts with earlier ones. */

import { countedFacets } from "../../facets/index.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Coverage, CoverageCounts } from "../../model/listing.ts";
import { list, text } from "./schema-parts.ts";
import { schemaFault, parseObject, type SavedFault } from "./saved-plan.ts";

const facets = countedFacets.map(({ name }) => name);
const natural = { type: "integer", minimum: 0 };
const counts = {
  assets: natural,
  declared: natural,
  documents: natural,
  rules: natural,
  ...Object.fromEntries(facets.map((name) => [name, natural])),
};

/** The fields that are read. */
const coverageSchema = allOf({
  target: text,
  createdAt: text,
  by: text,
  groups: list(allOf({ key: text, ...counts })),
  total: allOf(counts),
  policies: list(allOf({ id: text, matched: natural, passes: natural })),
});

/** An object with all of these fields. It may have others. */
function allOf(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The counts in the output of `coverage --format json`, or the fault of the text. */
export function parseCoverage(saved: string): { readonly coverage: Coverage } | SavedFault {
  const read = parseObject(saved);
  if ("fault" in read) return read;
  const { value } = read;
  if (value["by"] === undefined || value["total"] === undefined) return { fault: "foreign" };
  const invalid = schemaFault(coverageSchema, value);
  if (invalid) return invalid;
  // The schema has checked it.
  const { target, createdAt, by, groups, total, policies } = value as unknown as PrintedCoverage;
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

type PrintedCounts = Readonly<Record<string, number>> & Omit<CoverageCounts, "facets">;

interface PrintedCoverage extends Pick<Coverage, "target" | "createdAt" | "by" | "policies"> {
  readonly groups: readonly (PrintedCounts & { readonly key: string })[];
  readonly total: PrintedCounts;
}

function countsIn(printed: PrintedCounts): CoverageCounts {
  const { assets, declared, documents, rules } = printed;
  const found = facets.map((name) => [name, printed[name] ?? 0] as const);
  return { assets, declared, documents, rules, facets: new Map(found) };
}
