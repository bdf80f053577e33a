/**
 * Converts the schema errors of a rule to problems, with special messages for keys that a kind does not support. Also checks the
 * environments in `match`.
 */

import type { ErrorObject } from "ajv";
import { kinds } from "../../kinds/index.ts";
import { matchKeys } from "../../kinds/match-key.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { fabrics } from "../../model/urn-parts.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { errorAt } from "../base/problem.ts";
import { type Checked, schemaProblems } from "../schema/schema-problems.ts";
import { fieldName, originAt, pathOf, type Root } from "../schema/schema-path.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";
import { declarableKeys, ignoreCaseKey } from "../schema/rule-schema.ts";

/** Converts a rule's schema errors to problems. Keys that `match` does not support in rules have their own messages. */
export function ruleProblems(
  checked: Checked,
  kind: Kind | undefined,
  errors: readonly ErrorObject[],
): readonly Problem[] {
  const found = errors.map((error) => (kind ? keyProblem(checked, kind, error) : undefined));
  const others = errors.filter((_, index) => found[index] === undefined);
  return [...found.flatMap((problem) => problem ?? []), ...schemaProblems(checked, others)];
}

function keyProblem(checked: Checked, kind: Kind, error: ErrorObject): Problem | undefined {
  const path = pathOf(error.instancePath);
  if (error.keyword !== "additionalProperties") return undefined;
  const key = String(error.params["additionalProperty"]);
  const field = [...path, key];
  const origin = originAt(checked, field, true);
  const notOfKind = (): Problem =>
    errorAt(origin, "match-not-of-kind", { field: fieldName(field), key, kinds: kind.plural });
  if (path.length === 0) return isDeclaredOfOthers(key) ? notOfKind() : undefined;
  if (path[0] !== "match") return undefined;
  if (declarableKeys(kind.name).includes(key)) {
    const known = (kind.matchedBy ?? []).map((each) => each.key);
    return errorAt(origin, "match-by-facet", { field: fieldName(field), known });
  }
  return matchKeys.some((each) => each.key === key) ? notOfKind() : undefined;
}

/** Whether rules for at least one kind can declare a key. */
function isDeclaredOfOthers(key: string): boolean {
  return kinds.some(({ name, matchedBy }) => matchedBy !== undefined && declarableKeys(name).includes(key));
}

/**
 * Reports environment patterns without `*` that are not DataHub environments. No asset has such an environment, so these patterns
 * have no effect.
 */
export function unknownEnvironments({ document, value }: Root): readonly Problem[] {
  const { match } = value;
  if (!isJsonObject(match)) return [];
  const { not, [ignoreCaseKey]: ignoreCase } = match;
  const isKnown = (env: string): boolean =>
    fabrics.some((fabric) => fabric === (ignoreCase === true ? env.toUpperCase() : env));
  const exclusions = isJsonList(not)
    ? not.map((each, index) => ({ name: `match.not[${index}]`, keys: each }))
    : [{ name: "match.not", keys: not }];
  return [{ name: "match", keys: match }, ...exclusions].flatMap(({ name, keys }) =>
    isJsonObject(keys) ? unknownIn(document, keys, name, isKnown) : [],
  );
}

function unknownIn(
  document: ParsedDocument,
  keys: JsonObject,
  name: string,
  isKnown: (env: string) => boolean,
): readonly Problem[] {
  const { env } = keys;
  const place = placesIn(document, keys).get("env");
  if (env === undefined || !place) return [];
  const written = isJsonList(env) ? elementsIn(document, env) : [{ value: env, place }];
  return written.flatMap(({ value: pattern, place: at }) => {
    if (typeof pattern !== "string" || pattern === "" || pattern.includes("*")) return [];
    if (isKnown(pattern)) return [];
    const suggestion = nearestSpelling(pattern, fabrics);
    const args = { field: `${name}.env`, value: pattern, allowed: fabrics, suggestion };
    return [errorAt(originIn(document, at.value), "unknown-value", args)];
  });
}
