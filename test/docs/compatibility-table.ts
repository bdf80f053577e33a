import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from "graphql";
import type { Capability, CapabilityProbe } from "../../src/model/capability.ts";
import type { Results } from "../acceptance/acceptance.ts";

/** Results of an acceptance, with what the server was. */
export interface TriedOn extends Results {
  readonly server: string;
}

/**
 * The table of what was tried: for each operation the releases whose schema has it, where it is one of GraphQL, and what came of
 * it on each server.
 */
export function compatibilityTable(
  names: readonly string[],
  schemas: ReadonlyMap<string, GraphQLSchema>,
  tried: readonly TriedOn[],
): string {
  const heads = [...schemas.keys(), ...tried.map(({ server, release }) => `${server}, ${release}`)];
  const rows = names.map((name) => [
    `\`${name}\``,
    ...[...schemas.values()].map((schema) => inSchema(name, schema)),
    ...tried.map(({ rows: results }) => results.find((row) => row.name === name)?.result ?? "not tried"),
  ]);
  return tableOf(["tried", ...heads], rows);
}

/** The table of capabilities: for each what it is, which releases have it, how it is asked, and what happens without it. */
export function capabilityTable(
  capabilities: readonly Capability[],
  schemas: ReadonlyMap<string, GraphQLSchema>,
): string {
  const rows = capabilities.map(({ id, what, asked, release, without }) => [
    `\`${id}\``,
    what,
    ...[...schemas.values()].map((schema) => shownIn(schema, asked)),
    release,
    questionText(asked),
    without,
  ]);
  return tableOf(["capability", "what it is", ...schemas.keys(), "since", "asked by", "without it"], rows);
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function questionText(asked: CapabilityProbe): string {
  if (asked.by === "aspects-of-none") return "`POST /openapi/v3/entity/corpuser/batchGet` with `[]`";
  if (asked.by === "versions")
    return "as `aspect-batches`, or by `systemMetadata.version` in `GET /entitiesV2` of `urn:li:corpuser:datahub`";
  if (asked.by === "flag") return `\`appConfig.featureFlags.${asked.flag}\``;
  return `\`__type\`: \`${asked.field}\`${asked.by === "input" ? ", or the first search that has it" : ""}`;
}

function shownIn(schema: GraphQLSchema, asked: CapabilityProbe): string {
  if (asked.by === "aspects-of-none" || asked.by === "versions") return "–";
  const field = asked.by === "flag" ? `FeatureFlagsConfig.${asked.flag}` : asked.field;
  return hasField(schema, field) ? "yes" : "no";
}

/** Whether a schema has a field of a type or of an input type, written as `Type.field`. */
function hasField(schema: GraphQLSchema, typeAndField: string): boolean {
  const [type = "", field = ""] = typeAndField.split(".");
  const known = schema.getType(type);
  const hasFields = isObjectType(known) || isInterfaceType(known) || isInputObjectType(known);
  return hasFields && field in known.getFields();
}

function inSchema(name: string, schema: GraphQLSchema): string {
  const query = /^query (\w+)$/.exec(name)?.[1];
  const mutation = /^\w+$/.test(name) && !/^rules$/.test(name) ? name : undefined;
  if (query === "__type") return "yes";
  const type = query === undefined ? schema.getMutationType() : schema.getQueryType();
  const field = query ?? mutation;
  if (field === undefined) return "–";
  return type?.getFields()[field] ? "yes" : "no";
}
