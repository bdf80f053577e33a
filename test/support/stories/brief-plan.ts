import { facetNamed } from "../../../src/facets/index.ts";
import { kindOfType } from "../../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import { entityTypeOf, isUrn } from "../../../src/model/urn.ts";

/**
 * The JSON of a plan without what every plan has, what follows from the rest, and what is empty. A place in a file is
 * `file:line:column`. Of a problem, what stands in `stderr` is left out.
 */
export function briefPlan(plan: JsonObject, stderr: string): JsonObject {
  const { git, scope, summary, changes, problems, unmanaged, ...rest } = plan;
  const { base } = git as JsonObject;
  const { directory: _, ref: _ref, ...scoped } = scope as JsonObject;
  const counted = Object.entries(summary as JsonObject).filter(([, count]) => count !== 0);
  const other = Object.entries(rest).filter(([name]) => !everywhere.has(name));
  return brief({
    ...(base !== null && { base: true }),
    scope: scoped,
    summary: Object.fromEntries(counted),
    changes: listIn(changes).map(briefChange),
    unmanaged: listIn(unmanaged).map(withoutKind),
    problems: listIn(problems).map((problem) => briefProblem(problem, stderr)),
    ...Object.fromEntries(other),
  }) as JsonObject;
}

const everywhere = new Set(["formatVersion", "tool", "createdAt", "target", "digest", "seal"]);

function listIn(value: Json | undefined): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[];
}

function briefChange(change: JsonObject): JsonObject {
  const { shape, fingerprint: _, ...rest } = withoutKind(change);
  const { facet } = change;
  const usual =
    facet === undefined ? "entity" : facetNamed(textOf(facet)).shape === "scalar" ? "scalar" : "set";
  return shape === usual ? rest : { ...rest, shape };
}

function withoutKind({ kind, ...rest }: JsonObject): JsonObject {
  const urn = textOf(rest["urn"]);
  return isUrn(urn) && kindOfType(entityTypeOf(urn))?.name === kind ? rest : { ...rest, kind };
}

function briefProblem(problem: JsonObject, stderr: string): JsonObject {
  const { file, line, column, ...rest } = problem;
  const others = Object.entries(rest).filter(
    ([key, text]) => !["message", "source"].includes(key) || !stderr.includes(textOf(text)),
  );
  const at = file === undefined ? {} : { at: `${textOf(file)}:${Number(line)}:${Number(column)}` };
  return { ...Object.fromEntries(others), ...at };
}

/** The same without fields that are null or empty, and with places as texts. */
function brief(value: Json): Json {
  if (isJsonList(value)) return value.map(brief);
  if (!isJsonObject(value)) return value;
  const { file, line, column, ...others } = value;
  if (typeof file === "string" && typeof line === "number" && Object.keys(others).length === 0) {
    return `${file}:${line}:${Number(column)}`;
  }
  const fields = Object.entries(value).map(([key, field = null]) => [key, brief(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isEmpty(field)));
}

function isEmpty(value: Json): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
