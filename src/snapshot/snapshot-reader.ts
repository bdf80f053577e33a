import { type FieldNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import type { Answer, Reader } from "../datahub/client/client.ts";
import { memberships } from "../facets/index.ts";
import { isJsonList, type Json, type JsonObject } from "../model/json.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { type Held, heldIn, notHeld, type Snapshot } from "./snapshot.ts";

/**
 * A reader that answers from a snapshot as the server did, for any of the entities that it holds. Of others it answers the
 * error `notHeld`. It sends nothing.
 */
export function snapshotReader(snapshot: Snapshot): Reader {
  return {
    concurrency: 1,
    query: async (document, variables, interrupted) => {
      interrupted?.throwIfAborted();
      return answerTo(snapshot, rootFields(document), variables);
    },
    stored: {
      read: async (_kind, wanted, interrupted) => {
        interrupted?.throwIfAborted();
        return new Map(
          wanted.flatMap(({ urn }) => {
            const stored = isUrn(urn) ? heldIn(snapshot, urn)?.stored : undefined;
            return stored ? [[urn, stored] as const] : [];
          }),
        );
      },
    },
  };
}

/** A field that is asked for, with the place of its answer. */
interface Asked {
  readonly field: string;
  readonly key: string;
  /** The value of its only argument that counts here: a URN, a list of them, or the name of a type. */
  readonly of: Json | undefined;
  /** The member of a group from which on they are asked for. */
  readonly start: Json | undefined;
}

/** What a snapshot holds of a URN; where it does not, the reason becomes the error at a place. */
type Look = (urn: Urn, path: readonly (string | number)[]) => Held | undefined;

// More than was asked for is answered of an entity: who asks takes what it knows. A search finds nothing.
const answers: Readonly<Record<string, (asked: Asked, look: Look, snapshot: Snapshot) => Json>> = {
  entities: ({ key, of }, look) =>
    (isJsonList(of) ? of : []).filter(isUrn).map((urn, index) => look(urn, [key, index])?.entity ?? null),
  entityExists: ({ key, of }, look) => (isUrn(of) ? (look(of, [key])?.exists ?? null) : null),
  [memberships.query]: ({ key, of, start }, look) =>
    isUrn(of) ? { relationships: page(look(of, [key])?.members ?? [], start) } : null,
  __type: ({ of }, _look, { fields }) => {
    const start = `${typeof of === "string" ? of : ""}.`;
    const own = fields.filter((each) => each.startsWith(start));
    return { fields: own.map((each) => ({ name: each.slice(start.length) })) };
  },
};

function answerTo(snapshot: Snapshot, fields: readonly FieldNode[], variables: JsonObject): Answer {
  const errors = new Map<Urn, Answer["errors"][number]>();
  const look: Look = (urn, path) => {
    const held = heldIn(snapshot, urn);
    const isWhole = held && (path[0] !== memberships.query || held.members);
    const message = held?.error ?? (isWhole ? undefined : notHeld);
    if (message === undefined) return held;
    if (!errors.has(urn)) errors.set(urn, { message, path });
    return undefined;
  };
  const asked = fields.map((field) => askedBy(field, variables));
  // Aliases first: their place in a request is that of the URN, which the place in `entities` need not be.
  const inOrder = asked.toSorted((a, b) => Number(b.key !== b.field) - Number(a.key !== a.field));
  const data = inOrder.map((each) => [each.key, answers[each.field]?.(each, look, snapshot) ?? null]);
  return { data: Object.fromEntries(data) as JsonObject, errors: [...errors.values()] };
}

function rootFields(document: string): readonly FieldNode[] {
  const operation = parse(document).definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
  return (operation?.selectionSet.selections ?? []).filter((each) => each.kind === Kind.FIELD);
}

function askedBy({ name, alias, arguments: given = [] }: FieldNode, variables: JsonObject): Asked {
  const value = given[0]?.value;
  return {
    field: name.value,
    key: alias?.value ?? name.value,
    of:
      value?.kind === Kind.VARIABLE
        ? variables[value.name.value]
        : value?.kind === Kind.STRING
          ? value.value
          : undefined,
    start: variables["start"],
  };
}

/** The members from a place on, all at once. */
function page(members: readonly string[], start: Json | undefined): JsonObject {
  const rest = members.slice(typeof start === "number" ? start : 0);
  return { total: members.length, relationships: rest.map((urn) => ({ entity: { urn } })) };
}
