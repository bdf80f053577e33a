import type { JsonObject } from "../../model/json.ts";
import type { Mutation } from "../../model/operation.ts";

/** One request for several mutations: each is an alias, `o0`, `o1`, …, with variables of its own. */
export function mutationOf(mutations: readonly Mutation[]): {
  readonly document: string;
  readonly variables: JsonObject;
} {
  const definitions: string[] = [];
  const fields: string[] = [];
  const variables: Record<string, JsonObject[string]> = {};
  mutations.forEach((mutation, index) => {
    const args = mutation.args.map(({ name, type, value }) => {
      const variable = `o${index}_${name}`;
      definitions.push(`$${variable}: ${type}`);
      variables[variable] = value;
      return `${name}: $${variable}`;
    });
    fields.push(`o${index}: ${mutation.field}(${args.join(", ")})`);
  });
  return { document: `mutation Apply(${definitions.join(", ")}) { ${fields.join(" ")} }`, variables };
}
