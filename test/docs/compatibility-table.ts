import type { GraphQLSchema } from "graphql";
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
  const lines = [["tried", ...heads], heads.map(() => "---").concat("---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
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
