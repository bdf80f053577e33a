import { Kind, parse, type FieldNode, type OperationDefinitionNode } from "graphql";
import type { AspectRow } from "../../../src/local-catalog/server.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import type { Recorded } from "../recorder.ts";
import { compactJson } from "./compact-json.ts";

/**
 * What was written: mutations in their order, a line each and an empty line between two requests, and proposals, which are sent
 * side by side, sorted, also those of one request.
 */
export function briefWrites(requests: readonly Recorded[]): string {
  const bodies = requests.map(({ body }) => (isJsonObject(body) ? body : {}));
  const mutations = bodies.flatMap(({ query, variables }) =>
    typeof query === "string" && query.startsWith("mutation")
      ? [mutationsIn(query, (variables ?? {}) as JsonObject)]
      : [],
  );
  const proposals = bodies.flatMap(proposalsIn).map(briefProposal);
  return [...mutations, proposals.toSorted().join("")].filter((text) => text !== "").join("\n");
}

function proposalsIn({ proposal, proposals }: JsonObject): readonly JsonObject[] {
  return (isJsonList(proposals) ? proposals : [proposal ?? null]).filter(isJsonObject);
}

function mutationsIn(query: string, variables: JsonObject): string {
  const [operation] = parse(query).definitions as readonly OperationDefinitionNode[];
  const fields = (operation?.selectionSet.selections ?? []) as readonly FieldNode[];
  const lines = fields.map((field) => {
    const args = (field.arguments ?? []).map(({ name, value }) => {
      if (value.kind !== Kind.VARIABLE) throw new Error(`${field.name.value} is sent without variables`);
      return `${name.value}: ${literal(variables[value.name.value] ?? null)}`;
    });
    return `${field.name.value}(${args.join(", ")})\n`;
  });
  return lines.join("");
}

function literal(value: Json): string {
  if (isJsonList(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, field = null]) => `${key}: ${literal(field)}`)
    .join(", ")} }`;
}

function briefProposal({ entityUrn, changeType, aspectName, aspect, headers }: JsonObject): string {
  const { value } = aspect as JsonObject;
  const conditions = Object.entries((headers ?? {}) as JsonObject).map(
    ([name, text = null]) => `  ${name}: ${textOf(text)}\n`,
  );
  const written = JSON.parse(textOf(value)) as Json;
  return `${textOf(changeType)} ${textOf(entityUrn)} ${textOf(aspectName)} ${compactJson(withoutTimes(written))}\n${conditions.join("")}`;
}

/** The latest aspects that are not as they were, without their time stamps and what the server repeats of owners. */
export function briefAspects(before: readonly AspectRow[], after: readonly AspectRow[]): string {
  const old = new Map(before.filter(isLatest).map((row) => [nameOf(row), JSON.stringify(row.value)]));
  return after
    .filter((row) => isLatest(row) && JSON.stringify(row.value) !== old.get(nameOf(row)))
    .map((row) => {
      const { ownerTypes: _, ...value } = row.value;
      return `${nameOf(row)} ${compactJson(withoutTimes(value))}\n`;
    })
    .join("");
}

function isLatest({ version }: AspectRow): boolean {
  return version === 0;
}

function nameOf({ urn, aspect }: AspectRow): string {
  return `${urn} ${aspect}`;
}

function withoutTimes(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === "time" ? 0 : part))) as Json;
}
