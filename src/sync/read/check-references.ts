/** Checks which references exist and which optional fields the server supports, in one request if possible. */

import type { Existence, References } from "../../model/reference.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { isDefinition } from "../../plan/base/definitions.ts";
import { firstUnprobed, recordProbe, probeSelection, probeTypes } from "./capabilities.ts";
import { mayBeTooLarge } from "../../model/catalog-error.ts";
import { optionalTypes } from "./optional-types.ts";
import type { Reader } from "../../datahub/client.ts";
import {
  existenceBatch,
  existenceDocument,
  existenceOf,
  existenceVariables,
  readExistence,
  withStoredStatus,
} from "./existence.ts";
import type { ReadOptions } from "./read-batches.ts";
import { readingsIn } from "./readings.ts";

interface Probed {
  /** The fields that the server supports, for types that have more fields on newer servers. */
  readonly fields: ReadonlySet<string>;
  /** Whether each reference exists. Declared definitions are left out. */
  readonly existence: ReadonlyMap<Urn, Existence>;
}

/** The declared state, the entities that are read, and their references. */
interface Referring {
  readonly state: State;
  readonly wanted: State;
  readonly references: References;
}

/**
 * Queries the server's fields and the existence of references together in the first request. A server without introspection
 * rejects this request. Both are then queried separately.
 */
export async function checkReferences(
  reader: Reader,
  desired: Referring,
  options: ReadOptions = {},
): Promise<Probed> {
  const types = optionalTypes(desired.wanted);
  const urns = referredTo(desired);
  const first = await readTogether(reader, firstUnprobed(reader, types), urns, options);
  const fields = await probeTypes(reader, types, options.signal);
  const rest = urns.filter((urn) => !first.has(urn));
  const existence = new Map([...first, ...(await readExistence(reader, rest, options))]);
  return { fields, existence };
}

function referredTo({ state, references }: Referring): readonly Urn[] {
  const urns = new Set<Urn>();
  for (const { urn } of references) urns.add(urn);
  return [...urns].filter((urn) => !isDefinition(state, urn));
}

function isWorthRepeating(error: unknown): boolean {
  return !mayBeTooLarge(error);
}

/** Sends both queries in one request. Returns an empty map if the request fails or there is only one query. */
async function readTogether(
  reader: Reader,
  type: string | undefined,
  urns: readonly Urn[],
  { batch = existenceBatch, signal }: ReadOptions,
): Promise<ReadonlyMap<Urn, Existence>> {
  const { batchSize } = reader;
  const chunk = urns.slice(0, Math.min(batch, batchSize?.limit() ?? batch));
  if (type === undefined || chunk.length === 0) return new Map();
  const document = existenceDocument(chunk.length, probeSelection(type));
  const variables = existenceVariables(chunk);
  const request = reader.query(document, variables, signal, { isWorthRepeating });
  const answer = await request.catch((error: unknown) => {
    if (!mayBeTooLarge(error)) throw error;
    batchSize?.noteTooLarge(chunk.length);
    return undefined;
  });
  if (!answer) return new Map();
  const readings = readingsIn(answer, chunk, variables);
  if (!readings) return new Map();
  recordProbe(reader, answer, type);
  const shown = new Map([...readings].map(([urn, reading]) => [urn, existenceOf(urn, reading)]));
  return await withStoredStatus(reader, shown, { signal });
}
