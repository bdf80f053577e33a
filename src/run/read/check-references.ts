import type { Existence, References } from "../../model/reference.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { isDefinition } from "../../plan/sides/definitions.ts";
import { firstUnasked, keepProbed, probeSelection, probeTypes } from "./capabilities.ts";
import { createBatchSize } from "../../datahub/http/batch-size.ts";
import { isPerhapsTooLarge } from "../../model/catalog-error.ts";
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

/** What must be known before live state is read and compared. */
interface Probed {
  /** The fields of the types that newer servers have more fields of. */
  readonly fields: ReadonlySet<string>;
  /** Of all that is referred to and not defined beside it. */
  readonly existence: ReadonlyMap<Urn, Existence>;
}

/** What is declared, what of it is read, and what is referred to there. */
interface Referring {
  readonly state: State;
  readonly wanted: State;
  readonly references: References;
}

/**
 * Asks what the server can do and whether what is referred to exists, together in the first request. A server without
 * introspection refuses that: then each is asked by itself.
 */
export async function checkReferences(
  reader: Reader,
  desired: Referring,
  options: ReadOptions = {},
): Promise<Probed> {
  const types = optionalTypes(desired.wanted);
  const urns = referredTo(desired);
  const first = await readTogether(reader, firstUnasked(reader, types), urns, options);
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
  return !isPerhapsTooLarge(error);
}

/** What exists, by one request with both questions: nothing where it fails, or where there are not both to ask. */
async function readTogether(
  reader: Reader,
  type: string | undefined,
  urns: readonly Urn[],
  { batch = existenceBatch, signal }: ReadOptions,
): Promise<ReadonlyMap<Urn, Existence>> {
  const { batchSize = createBatchSize() } = reader;
  const some = urns.slice(0, Math.min(batch, batchSize.limit()));
  if (type === undefined || some.length === 0) return new Map();
  const document = existenceDocument(some.length, probeSelection(type));
  const variables = existenceVariables(some);
  const asked = reader.query(document, variables, signal, { isWorthRepeating });
  const answer = await asked.catch((error: unknown) => {
    if (!isPerhapsTooLarge(error)) throw error;
    batchSize.noteTooLarge(some.length);
    return undefined;
  });
  if (!answer) return new Map();
  const readings = readingsIn(answer, some, variables);
  if (!readings) return new Map();
  keepProbed(reader, answer, type);
  const shown = new Map([...readings].map(([urn, reading]) => [urn, existenceOf(urn, reading)]));
  return await withStoredStatus(reader, shown, { signal });
}
