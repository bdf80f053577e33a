/** Packs operations into requests, and combines mutations in one GraphQL document. */

import { appendTo } from "../../model/append.ts";
import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import { isListEdit, type Mutation, type Operation } from "../../model/operation.ts";

/** Maximum number of characters in a request's arguments. Gateways reject large bodies, often above 1 MiB. */
const maxCharacters = 500_000;

/** Maximum number of proposals in a request. If the server rejects one proposal, it rejects the entire request. */
const maxProposals = 20;

/**
 * Packs operations into requests of at most `maxCharacters`, with up to `size` mutations or up to 20 proposals for assignments.
 * Any other proposal, and any operation in `alone`, gets a request of its own. Operations of the same type on one entity share a
 * request if they fit. Otherwise, they are in consecutive requests.
 */
export function packRequests(
  operations: readonly Operation[],
  size: number,
  alone: ReadonlySet<string> = new Set(),
): readonly (readonly Operation[])[] {
  const sorts = groupBy(operations, (operation) => (alone.has(operation.id) ? "single" : sortOf(operation)));
  return [
    ...(sorts.get("single") ?? []).map((operation) => [operation]),
    ...packed(sorts.get("mutation") ?? [], size),
    ...packed(sorts.get("assignment") ?? [], Math.min(size, maxProposals)),
  ];
}

function sortOf({ request }: Operation): "mutation" | "assignment" | "single" {
  if (request.type === "mutation") return "mutation";
  // A proposal that creates an entity in its domain writes two aspects, and is sent separately.
  if (request.beside) return "single";
  return request.edits?.every((edit) => !isListEdit(edit) || edit.keys !== undefined)
    ? "assignment"
    : "single";
}

function packed(operations: readonly Operation[], size: number): readonly (readonly Operation[])[] {
  const requests: (readonly Operation[])[] = [];
  let open = emptyPortion();
  for (const own of groupBy(operations, ({ locks }) => locks[0]).values()) {
    for (const [index, portion] of portionsOf(own, size).entries()) {
      if (index === 0 && fits(open, portion, size)) join(open, portion);
      else {
        requests.push(open.operations);
        open = portion;
      }
    }
  }
  return [...requests, open.operations].filter((request) => request.length > 0);
}

/** Operations for one request, and the size of their arguments in characters. */
interface Portion {
  readonly operations: Operation[];
  characters: number;
}

function emptyPortion(): Portion {
  return { operations: [], characters: 0 };
}

function portionsOf(operations: readonly Operation[], size: number): readonly Portion[] {
  const portions: Portion[] = [];
  for (const operation of operations) {
    const own = { operations: [operation], characters: JSON.stringify(operation.request).length };
    const last = portions.at(-1);
    if (last && fits(last, own, size)) join(last, own);
    else portions.push(own);
  }
  return portions;
}

function fits(one: Portion, other: Portion, size: number): boolean {
  return (
    one.operations.length + other.operations.length <= size &&
    one.characters + other.characters <= maxCharacters
  );
}

function join(one: Portion, other: Portion): void {
  appendTo(one.operations, other.operations);
  one.characters += other.characters;
}

/** Combines mutations in one request. Each mutation has an alias, `o0`, `o1`, …, and its own variables. */
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
    const selection = mutation.selection === undefined ? "" : ` { ${mutation.selection} }`;
    fields.push(`o${index}: ${mutation.field}(${args.join(", ")})${selection}`);
  });
  return { document: `mutation Apply(${definitions.join(", ")}) { ${fields.join(" ")} }`, variables };
}
