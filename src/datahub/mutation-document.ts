import type { JsonObject } from "../model/json.ts";
import type { Operation } from "../model/operation.ts";

/** One request for several operations: each is an alias, `o0`, `o1`, …, with variables of its own. */
export function mutationOf(operations: readonly Operation[]): {
  readonly document: string;
  readonly variables: JsonObject;
} {
  const definitions: string[] = [];
  const fields: string[] = [];
  const variables: Record<string, JsonObject[string]> = {};
  operations.forEach(({ request }, index) => {
    const args = request.args.map(({ name, type, value }) => {
      const variable = `o${index}_${name}`;
      definitions.push(`$${variable}: ${type}`);
      variables[variable] = value;
      return `${name}: $${variable}`;
    });
    fields.push(`o${index}: ${request.field}(${args.join(", ")})`);
  });
  return { document: `mutation Apply(${definitions.join(", ")}) { ${fields.join(" ")} }`, variables };
}
