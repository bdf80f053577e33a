/** Detects shells: entities that the token may not view and that GraphQL returns without values. */

import type { Reader } from "../../datahub/client.ts";
import { kindOfType } from "../../kinds/index.ts";
import type { Kind, Shell, TypedAspect } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { typeOfField } from "../../model/live.ts";
import { notViewable } from "../../model/restricted.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import { probeTypes } from "./capabilities.ts";
import { rawAspects, rawAspectsIn } from "./entities-document.ts";
import { type Question, questionOf } from "./question.ts";
import type { Reading } from "./readings.ts";

/** The name of the query that distinguishes shells from other entities. */
export const shellsQuery = "ReadShells";

/**
 * Builds the query that distinguishes shells from entities with few values. It requests typed fields, and stored aspects, which
 * DataHub does not redact.
 */
export function shellsDocument(kind: Kind, typed: readonly TypedAspect[]): string {
  const aspects = [keyAspectOf(kind.entityType), ...typed.map(([aspect]) => aspect)];
  const fields = typed.map(([, selection], index) => `t${index}: ${selection}`).join(" ");
  return `query ${shellsQuery}($urns: [String!]!) { entities(urns: $urns) { urn __typename ... on ${kind.typename} { ${rawAspects(aspects)} ${fields} } } }`;
}

/** Sends a query, and passes on the result for each entity. */
type Ask = (question: Question, take: (urn: Urn, reading: Reading) => void) => Promise<void>;

/** Replaces each shell with an error. Rereads an entity if it looks like a shell, which is rare. */
export async function withoutShells(
  reader: Reader,
  readings: ReadonlyMap<Urn, Reading>,
  { ask, signal }: { readonly ask: Ask; readonly signal: AbortSignal | undefined },
): Promise<ReadonlyMap<Urn, Reading>> {
  const doubtful = [...readings].flatMap(([urn, reading]) => (looksLikeShell(reading) ? [urn] : []));
  const known = new Map(readings);
  const refuse = (urn: Urn, error: string): void => {
    known.set(urn, { entity: undefined, alias: readings.get(urn)?.alias, error });
  };
  for (const [entityType, urns] of groupBy(doubtful, entityTypeOf)) {
    const kind = kindOfType(entityType);
    if (!kind?.shell) for (const urn of urns) refuse(urn, notViewable);
    else {
      const document = shellsDocument(kind, await typedAspects(reader, kind.shell, signal));
      await ask(questionOf(urns, document), (urn, { entity, error }) => {
        const fault = error ?? shellFault(urn, entity);
        if (fault !== undefined) refuse(urn, fault);
      });
    }
  }
  return known;
}

/** Whether an entity in a response looks like a shell. Missing entities can also look like shells. */
function looksLikeShell({ entity, alias, error }: Reading): boolean {
  if (error !== undefined || !entity || !("sign" in entity)) return false;
  if (alias === false || entity["exists"] === false || !isEmpty(entity["status"])) return false;
  return isEmpty(entity["sign"]) || entity["sign"] === "";
}

/**
 * Returns the reason why an entity is unknown, from the response to `shellsDocument`. Returns `undefined` if the token may view
 * the entity.
 */
export function shellFault(urn: Urn, entity: JsonObject | undefined): string | undefined {
  if (!entity) return "the server's response does not contain this entity";
  const aspects = rawAspectsIn(entity);
  if (typeof aspects === "string") return aspects;
  const fields = Object.entries(entity).filter(([name]) => /^t\d+$/.test(name));
  if (fields.some(([, value]) => !isEmpty(value))) return undefined;
  const { [keyAspectOf(entityTypeOf(urn))]: key, ...others } = aspects;
  // A server that also redacts stored aspects returns no aspects. It does not even return the key, which is derived from the URN.
  return key === undefined || Object.keys(others).length > 0 ? notViewable : undefined;
}

function keyAspectOf(entityType: string): string {
  return `${entityType}Key`;
}

// Whether a value is empty. An empty string does not count as empty, because a shell's text fields are null.
function isEmpty(value: Json | undefined): boolean {
  return isJsonObject(value) ? Object.values(value).every(isEmpty) : (value ?? null) === null;
}

async function typedAspects(
  reader: Reader,
  { typed, newer }: Shell,
  signal: AbortSignal | undefined,
): Promise<readonly TypedAspect[]> {
  if (!newer) return typed;
  const fields = await probeTypes(reader, [typeOfField(newer.field)], signal);
  return fields.has(newer.field) ? [...typed, ...newer.typed] : typed;
}
