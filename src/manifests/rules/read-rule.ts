/** Reads rules from manifests. */

import type { Kind } from "../../kinds/kind.ts";
import { facetsOf } from "../../facets/index.ts";
import { isOfColumns, outerKey } from "../../facets/places.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { RuleValues, RuleMatch, ColumnRule, Condition } from "../../model/rule.ts";
import type { FacetValue } from "../../model/state.ts";
import type { Collected } from "../base/collected.ts";
import { facetValues, modesIn } from "../values/declared-fields.ts";
import { type FieldReading, readingOf } from "../values/field-reading.ts";
import { exclusionsIn, kindMatched, textsIn } from "../values/match-reading.ts";
import { errorAt } from "../base/problem.ts";
import { schemaErrors } from "../schema/schema-check.ts";
import { badFields, type Checked } from "../schema/schema-problems.ts";
import { mappingOf } from "../schema/schema-part.ts";
import type { Root } from "../schema/schema-path.ts";
import { originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { declareOf, isBelowDeclare, misplacedFacets, relativeToDeclare, withDeclare } from "./declare.ts";
import { ruleProblems, unknownEnvironments } from "./match-problems.ts";
import { regexHints, regexHintsOfColumns } from "./regex-hints.ts";
import {
  declarableKeys,
  declareKey,
  ignoreCaseKey,
  nativeTypeKey,
  notKey,
  ruleKind,
  ruleSchemaName,
} from "../schema/rule-schema.ts";

/** Reads a rule and collects its problems. Returns whether its `id` and `match` are valid. If not, the rule is left out. */
export function readRule(root: Root, collected: Collected): boolean {
  const matched = kindMatched(root.value);
  const kind = matched?.matchedBy && matched;
  const value = collected.isHistory && kind ? withDeclare(root.value, kind) : root.value;
  const errors = schemaErrors(kind ? ruleSchemaName(kind.name) : ruleKind, value);
  const headErrors = errors.filter((error) => !isBelowDeclare(error));
  const bodyErrors = errors.filter(isBelowDeclare).map(relativeToDeclare);
  const head: Checked = { ...root, what: ruleKind };
  const body: Checked = { ...(value === root.value ? declareOf(root) : root), what: declareKey, kind };
  const { problems } = collected;
  const misplaced = kind ? misplacedFacets(root, headErrors, kind) : { problems: [], errors: headErrors };
  appendTo(problems, misplaced.problems);
  appendTo(problems, ruleProblems(head, kind, misplaced.errors));
  appendTo(problems, ruleProblems(body, kind, bodyErrors));
  const bad = badFields(headErrors);
  const { id, match } = root.value;
  const isBad = bad.has("match") || bad.has("id") || typeof id !== "string" || !isJsonObject(match);
  if (!kind || isBad) return false;
  appendTo(problems, unknownEnvironments(root));
  appendTo(problems, regexHints(root.document, match));
  const { columns } = columnsOf(kind, body.value);
  appendTo(problems, regexHintsOfColumns(root.document, columns));
  // An unknown key may be a misspelled facet, so a rule with an unknown key is not reported as empty.
  const isClear = !errors.some(({ keyword }) => keyword === "additionalProperties") && !bad.has(declareKey);
  if (isClear) appendTo(problems, emptyIn(body, kind, id));
  const reading = readingOf(body, badFields(bodyErrors), problems);
  collected.rules.push({
    id,
    ...matchIn(root.document, match, kind),
    ...declaredIn(kind, reading, columns),
    modePlaces: new Map(),
    ...modesIn(kind, { checked: head, bad }),
    priority: bad.has("priority") ? 0 : Number(root.value["priority"] ?? 0),
    origin: originIn(root.document, root.start),
  });
  return true;
}

function matchIn(document: ParsedDocument, match: JsonObject, kind: Kind): RuleMatch {
  const ignoreCase = match[ignoreCaseKey] === true;
  return {
    kind: kind.name,
    conditions: conditionsIn(document, match, kind, ignoreCase),
    exclusions: exclusionsIn(match).map((each) => conditionsIn(document, each, kind, ignoreCase)),
  };
}

function declaredIn(kind: Kind, reading: FieldReading, columns: JsonObject): RuleValues {
  const facets = facetValues(kind, reading);
  return {
    facets: new Map([...facets].filter(([facet]) => !isOfColumns(facet))),
    columns: columnsIn(reading.checked.document, columns, facets),
    references: reading.references,
  };
}

/** Reports a rule without declarations, or with an empty column pattern. */
function emptyIn({ document, value, start }: Root, kind: Kind, rule: string): readonly Problem[] {
  const fields = declarableKeys(kind.name);
  if (!fields.some((key) => value[key] !== undefined))
    return [errorAt(originIn(document, start), "empty-rule", { rule, fields })];
  const { field, columns } = columnsOf(kind, value);
  const place = placesIn(document, columns).get("");
  return place ? [errorAt(originIn(document, place.key), "empty-text", { field })] : [];
}

/** Returns the column patterns in a rule's declarations, and the field that contains them. All column facets share one field. */
function columnsOf(
  { name }: Kind,
  value: JsonObject,
): { readonly field: string; readonly columns: JsonObject } {
  const [field] = facetsOf(name)
    .filter((facet) => isOfColumns(facet.name))
    .map(outerKey);
  return field === undefined ? { field: "", columns: {} } : { field, columns: mappingOf(value[field]) };
}

function conditionsIn(
  document: ParsedDocument,
  match: JsonObject,
  { matchedBy = [] }: Kind,
  ignoreCase: boolean,
): readonly Condition[] {
  const places = placesIn(document, match);
  return matchedBy.flatMap(({ key }) => {
    const place = places.get(key);
    if (!place) return [];
    const origin = originIn(document, place.key);
    return [{ key, patterns: textsIn(match[key]), ...(ignoreCase && { ignoreCase }), origin }];
  });
}

/** Reads a rule's column patterns and their declarations. */
function columnsIn(
  document: ParsedDocument,
  columns: JsonObject,
  facets: ReadonlyMap<string, FacetValue>,
): readonly ColumnRule[] {
  return [...placesIn(document, columns)].flatMap(([pattern, { key }]): readonly ColumnRule[] => {
    const own = valuesAt(pattern, facets);
    if (own.size === 0) return [];
    const {
      [nativeTypeKey]: types,
      [notKey]: not,
      [ignoreCaseKey]: ignoreCase,
    } = mappingOf(columns[pattern]);
    return [
      {
        pattern,
        ...(types !== undefined && { nativeTypes: textsIn(types) }),
        ...(not !== undefined && { not: textsIn(not) }),
        ...(ignoreCase === true && { ignoreCase }),
        facets: own,
        origin: originIn(document, key),
      },
    ];
  });
}

/** Returns the facet values for one column pattern. */
function valuesAt(pattern: string, facets: ReadonlyMap<string, FacetValue>): ColumnRule["facets"] {
  const values = new Map<string, FacetValue>();
  for (const [name, value] of facets) {
    const below = isOfColumns(name) && value.shape === "map" ? value.entries.get(pattern) : undefined;
    if (below) values.set(name, below);
  }
  return values;
}
