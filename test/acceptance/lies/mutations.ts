import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Lie } from "./lie.ts";
import {
  aliasesOf,
  type Asked,
  type GraphqlAsked,
  graphqlIn,
  variablesOf,
  withoutFields,
} from "./request.ts";

/** A mutation that answers success and does nothing. */
export function mutationDoesNothing(name: string): Lie {
  return {
    operation: name,
    what: "answers success and does nothing",
    deal: (asked) => {
      const own = ownIn(asked, name);
      if (!own) return undefined;
      const told = Object.fromEntries(own.aliases.map((alias) => [alias, true]));
      return {
        forward: withoutFields(own.graphql, new Set(own.aliases)),
        answer: (answered) => withData(answered ?? { data: {} }, told),
      };
    },
  };
}

/** A mutation that is carried out and answers null. */
export function mutationAnswersNull(name: string): Lie {
  return {
    operation: name,
    what: "answers null",
    deal: (asked) => {
      const own = ownIn(asked, name);
      if (!own) return undefined;
      const told = Object.fromEntries(own.aliases.map((alias) => [alias, null]));
      return { ...(asked.body !== undefined && { forward: asked.body }), answer: (it) => withData(it, told) };
    },
  };
}

/** A mutation that is carried out with other values: `edit` makes them of its input, or `undefined` of one that is left. */
export function mutationOf(
  name: string,
  what: string,
  edit: (input: JsonObject) => JsonObject | undefined,
): Lie {
  return {
    operation: name,
    what,
    deal: (asked) => {
      const own = ownIn(asked, name);
      if (!own || !isJsonObject(asked.body)) return undefined;
      const variables = { ...own.graphql.variables };
      for (const alias of own.aliases) {
        const field = own.graphql.fields.get(alias);
        for (const variable of field ? variablesOf(field) : []) {
          const input = variables[variable];
          const edited = edit(isJsonObject(input) ? input : { value: input ?? null });
          if (edited) variables[variable] = isJsonObject(input) ? edited : (edited["value"] ?? null);
        }
      }
      return { forward: { ...asked.body, variables }, answer: (answered) => answered };
    },
  };
}

function ownIn(
  asked: Asked,
  name: string,
): { readonly graphql: GraphqlAsked; readonly aliases: readonly string[] } | undefined {
  const graphql = graphqlIn(asked);
  const aliases = graphql ? aliasesOf(graphql, name) : [];
  return graphql && aliases.length > 0 ? { graphql, aliases } : undefined;
}

/** A GraphQL answer with other data. */
export function withData(answered: Json | undefined, told: JsonObject): Json {
  const answer = isJsonObject(answered) ? answered : {};
  const data = isJsonObject(answer["data"]) ? answer["data"] : {};
  return { ...answer, data: { ...data, ...told } };
}
