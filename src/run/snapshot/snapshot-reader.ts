import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
} from "graphql";
import type { Answer, Reader } from "../../datahub/client.ts";
import { rawAspects } from "../read/entities-document.ts";
import { memberships } from "../../facets/index.ts";
import { assetKinds } from "../../kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { heldAs, listedIn } from "./listed.ts";
import { askedIn, foundIn, type Held, heldIn, notHeld, type Snapshot } from "./snapshot.ts";

/** What of a snapshot gives answers. */
type Answering = Pick<Snapshot, "fields" | "found" | "definitions" | "entities">;

/**
 * A reader that answers from a snapshot as the server did, for any of the entities that it holds, and whether any definition
 * that it lists is there. To all else it answers the error `notHeld`. It sends nothing.
 */
export function snapshotReader(snapshot: Answering): Reader {
  const held = holding(snapshot);
  return {
    concurrency: 1,
    query: async (document, variables, interrupted) => {
      interrupted?.throwIfAborted();
      return answerTo({ ...snapshot, held }, rootFields(document), variables);
    },
    stored: {
      read: async (_type, wanted, interrupted) => {
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
  /** What is asked of each of its entities. */
  readonly selections: readonly SelectionNode[];
  /** Whether that is only whether they are there. */
  readonly isExistence: boolean;
  /** The member of a group, or the reference to an entity, from which on they are asked for. */
  readonly start: Json | undefined;
}

/** What a snapshot holds of a URN; where it does not, the reason becomes the error at a place. */
type Look = (urn: Urn, asked: Asked, index?: number) => Held | undefined;

const scroll = "scrollAcrossEntities";

// More than was asked for is answered of an entity: who asks takes what it knows. A search finds nothing.
const answers: Readonly<Record<string, (asked: Asked, look: Look, snapshot: Answering) => Json>> = {
  entities: (asked, look) =>
    urnsIn(asked.of).map((urn, index) => fromStart(look(urn, asked, index)?.entity ?? null, asked.start)),
  entityExists: (asked, look) => (isUrn(asked.of) ? (look(asked.of, asked)?.exists ?? null) : null),
  [memberships.query]: (asked, look) =>
    isUrn(asked.of) ? { relationships: page(look(asked.of, asked)?.members ?? [], asked.start) } : null,
  [scroll]: ({ of }, _look, snapshot) => {
    if (!isJsonObject(of)) return null;
    const found = foundIn(snapshot, askedIn(of));
    return found ? scrolled(found, of) : null;
  },
  __type: ({ of }, _look, { fields }) => {
    const start = `${typeof of === "string" ? of : ""}.`;
    const own = fields.filter((each) => each.startsWith(start));
    return { fields: own.map((each) => ({ name: each.slice(start.length) })) };
  },
};

function answerTo(
  snapshot: Answering & { readonly held: ReturnType<typeof holding> },
  fields: readonly FieldNode[],
  variables: JsonObject,
): Answer {
  const errors = new Map<string, Answer["errors"][number]>();
  const look: Look = (urn, each, index) => {
    const held = snapshot.held(urn, each);
    const message = held?.error ?? (held && isWhole(held, each) ? undefined : notHeld);
    if (message === undefined) return held;
    const path = index === undefined ? [each.key] : [each.key, index];
    if (!errors.has(urn)) errors.set(urn, { message, path });
    return undefined;
  };
  const asked = fields.map((field) => askedBy(field, variables));
  // Aliases first: their place in a request is that of the URN, which the place in `entities` need not be.
  const inOrder = asked.toSorted((a, b) => Number(b.key !== b.field) - Number(a.key !== a.field));
  const data = inOrder.map((each) => {
    const answer = answers[each.field]?.(each, look, snapshot) ?? null;
    if (each.field === scroll && answer === null)
      errors.set(each.key, { message: notHeld, path: [each.key] });
    return [each.key, answer];
  });
  return { data: Object.fromEntries(data) as JsonObject, errors: [...errors.values()] };
}

/** What a snapshot holds of a URN, or can tell by its lists of what is asked. */
function holding(snapshot: Answering): (urn: Urn, asked: Asked) => Held | undefined {
  const listed = listedIn(snapshot);
  return (urn, { isExistence }) => {
    const held = heldIn(snapshot, urn);
    const status = held ? undefined : listed(urn);
    const isAnswer = status === "absent" || (status !== undefined && isExistence);
    return isAnswer ? heldAs(urn, status) : held;
  };
}

/** Whether a snapshot holds all that is asked of an entity. */
function isWhole({ members, entity }: Held, { field, selections }: Asked): boolean {
  if (field === memberships.query) return members !== undefined;
  // Of definitions all is held; of assets what rules match them by, or that alone.
  const type = entity?.["__typename"];
  if (!entity || !assetKinds.some(({ typename }) => typename === type)) return true;
  return fieldsIn(selections, type).every((name) => Object.hasOwn(entity, name));
}

/** The places in the answer of what is asked of an entity of a type. */
function fieldsIn(selections: readonly SelectionNode[], typename: Json | undefined): readonly string[] {
  return selections.flatMap((each) => {
    if (each.kind === Kind.FIELD) return [each.alias?.value ?? each.name.value];
    if (each.kind === Kind.FRAGMENT_SPREAD || each.typeCondition?.name.value !== typename) return [];
    return fieldsIn(each.selectionSet.selections, typename);
  });
}

function urnsIn(list: Json | undefined): readonly Urn[] {
  return (isJsonList(list) ? list : []).filter(isUrn);
}

function rootFields(document: string): readonly FieldNode[] {
  const operation = parse(document).definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
  return (operation?.selectionSet.selections ?? []).filter((each) => each.kind === Kind.FIELD);
}

function askedBy(
  { name, alias, selectionSet, arguments: given = [] }: FieldNode,
  variables: JsonObject,
): Asked {
  const value = given[0]?.value;
  const selections = selectionSet?.selections ?? [];
  return {
    field: name.value,
    key: alias?.value ?? name.value,
    of:
      value?.kind === Kind.VARIABLE
        ? variables[value.name.value]
        : value?.kind === Kind.STRING
          ? value.value
          : undefined,
    selections,
    isExistence: name.value === "entityExists" || (name.value === "entities" && asksStatus(selections)),
    start: variables["start"],
  };
}

const [urnField, statusField] = rootFields(`{ urn ${rawAspects(["status"])} }`).map((each) => print(each));

/** Whether of entities only their status is asked: `entityExists` says yes of those that are soft-deleted. */
function asksStatus(selections: readonly SelectionNode[]): boolean {
  return selections.every((each) =>
    each.kind === Kind.INLINE_FRAGMENT
      ? asksStatus(each.selectionSet.selections)
      : [urnField, statusField].includes(print(each)),
  );
}

/** The members from a place on, all at once. */
function page(members: readonly string[], start: Json | undefined): JsonObject {
  const rest = members.slice(typeof start === "number" ? start : 0);
  return { total: members.length, relationships: rest.map((urn) => ({ entity: { urn } })) };
}

/** An entity with what refers to it from a place on, all at once. */
function fromStart(entity: JsonObject | null, start: Json | undefined): JsonObject | null {
  const found = entity?.["relationships"];
  if (typeof start !== "number" || !isJsonObject(found) || !isJsonList(found["relationships"])) return entity;
  return { ...entity, relationships: { ...found, relationships: found["relationships"].slice(start) } };
}

/** A page of what the index names; its place is that of the first on it. */
function scrolled(urns: readonly string[], { scrollId, count }: JsonObject): JsonObject {
  const start = typeof scrollId === "string" ? Number(scrollId) : 0;
  const end = start + (typeof count === "number" ? count : urns.length);
  return {
    total: urns.length,
    nextScrollId: end < urns.length ? String(end) : null,
    searchResults: urns.slice(start, end).map((urn) => ({ entity: { urn } })),
  };
}
