import { countedFacets } from "../../facets/index.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Coverage, CoverageCounts } from "../../model/listing.ts";
import { invalidBy, parseObject, type SavedFault } from "./saved-plan.ts";

const facets = countedFacets.map(({ name }) => name);
const natural = { type: "integer", minimum: 0 };
const numbers = Object.fromEntries(
  ["assets", "declared", "documents", "rules", ...facets].map((name) => [name, natural]),
);
const countsSchema = { type: "object", properties: numbers, required: Object.keys(numbers) };

/** What the JSON of `coverage` holds, as far as it is read again. */
const coverageSchema: JsonObject = {
  type: "object",
  properties: {
    target: { type: "string" },
    createdAt: { type: "string" },
    by: { type: "string" },
    groups: {
      type: "array",
      items: { allOf: [countsSchema, { properties: { key: { type: "string" } }, required: ["key"] }] },
    },
    total: countsSchema,
    policies: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "string" }, matched: natural, passes: natural },
        required: ["id", "matched", "passes"],
      },
    },
  },
  required: ["target", "createdAt", "by", "groups", "total", "policies"],
};

/** Reads what `coverage --format json` printed. */
export function parseCoverage(text: string): { readonly coverage: Coverage } | SavedFault {
  const read = parseObject(text);
  if ("fault" in read) return read;
  const { value } = read;
  if (value["groups"] === undefined || value["total"] === undefined) return { fault: "foreign" };
  const invalid = invalidBy(coverageSchema, value);
  if (invalid) return invalid;
  // The schema has proved it.
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
