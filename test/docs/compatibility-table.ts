import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from "graphql";
import type { Capability, CapabilityProbe } from "../../src/model/capability.ts";
import type { Results } from "../acceptance/acceptance.ts";

/** The results of an acceptance run, with the server's name. */
export interface TriedOn extends Results {
  readonly server: string;
}

/** Words with which many operation names begin. Each table row shows them only once. */
const leads = ["query", "kind", "facet", "ingestProposal", "values of others on", "command", "mode"];

/**
 * Returns a table of operations: whether each release's GraphQL schema contains the operation, and its result on each server.
 * Operations with the same first words and the same cells share a row.
 */
export function compatibilityTable(
  names: readonly string[],
  schemas: ReadonlyMap<string, GraphQLSchema>,
  tried: readonly TriedOn[],
): string {
  const heads = [...schemas.keys(), ...tried.map(({ server, release }) => `${server}, ${release}`)];
  const rows = new Map<string, { readonly first: string[]; readonly cells: readonly string[] }>();
  for (const name of names) {
    const cells = [
      ...[...schemas.values()].map((schema) => inSchema(name, schema)),
      ...tried.map(({ rows: results }) => results.find((row) => row.name === name)?.result ?? "not tried"),
    ];
    const lead = leads.find((each) => name.startsWith(`${each} `)) ?? "";
    const key = JSON.stringify([lead, cells]);
    const row = rows.get(key) ?? { first: lead === "" ? [] : [`${lead}:`], cells };
    row.first.push(`\`${name.slice(lead.length).trim()}\`,`);
    rows.set(key, row);
  }
  return tableOf(
    ["operation", ...heads],
    [...rows.values()].map(({ first, cells }) => [first.join(" ").replace(/,$/, ""), ...cells]),
  );
}

/** Returns the table of capabilities for users: what each one is, its first release, and the effect if it is missing. */
export function capabilityTable(capabilities: readonly Capability[]): string {
  const rows = capabilities.map(({ id, what, release, without }) => [`\`${id}\``, what, release, without]);
  return tableOf(["capability", "what it is", "since", "without it"], rows);
}

/** Returns a table that shows, for each capability, which release schemas contain it and how the tool detects it. */
export function questionTable(
  capabilities: readonly Capability[],
  schemas: ReadonlyMap<string, GraphQLSchema>,
): string {
  const rows = capabilities.map(({ id, asked }) => [
    `\`${id}\``,
    ...[...schemas.values()].map((schema) => shownIn(schema, asked)),
    questionText(asked),
  ]);
  return tableOf(["capability", ...schemas.keys(), "detected by"], rows);
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

/** Whether a schema contains a field, written as `Type.field`, of an object, interface or input type. */
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
