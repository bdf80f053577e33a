/** Determines which optional features a server supports, and sends each query only once. */

import { capabilities, type CapabilityId } from "../../facets/capabilities.ts";
import { edgeSets } from "../../facets/index.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { KnownCapability } from "../../model/capability.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../../model/json.ts";
import { typeOfField } from "../../model/live.ts";
import { type Urn } from "../../model/urn.ts";
import type { Answer, Reader } from "../../datahub/client.ts";

/** Cached query results for one server. */
interface Answers {
  /** The fields of types and input types, keyed by type. */
  readonly fields: Map<string, Promise<readonly string[]>>;
  readonly flags: Map<string, Promise<boolean>>;
  /** Whether the server supports requests for aspects, and whether it returns aspect versions. `null` if this is unknown. */
  readonly stored: Map<"aspects" | "versions", Promise<boolean | null>>;
  /** Capabilities that the server lacks, as shown by rejected requests. */
  readonly refused: Set<CapabilityId>;
}

/** The cached results for each server. The key is an object that all readers of a server share. */
const known = new WeakMap<object, Answers>();

function answersOf(reader: Reader): Answers {
  const { server = reader } = reader;
  const answers = known.get(server) ?? noAnswers();
  known.set(server, answers);
  return answers;
}

function noAnswers(): Answers {
  return { fields: new Map(), flags: new Map(), stored: new Map(), refused: new Set() };
}

/** Sends a query once. After a failure, the next call sends it again. */
async function once<K, T>(answers: Map<K, Promise<T>>, key: K, ask: () => Promise<T>): Promise<T> {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  try {
    return await answer;
  } catch (error) {
    if (answers.get(key) === answer) answers.delete(key);
    throw error;
  }
}

/**
 * Returns whether the server supports each capability. Queries only capabilities that are still unknown. Throws `CatalogError` if
 * a query fails, or the signal's reason if it is aborted.
 */
export async function knownCapabilities(
  reader: Reader,
  signal?: AbortSignal,
): Promise<readonly KnownCapability[]> {
  const found: KnownCapability[] = [];
  for (const each of capabilities) found.push({ ...each, isThere: await isThere(reader, each, signal) });
  return found;
}

async function isThere(
  reader: Reader,
  { id, asked }: (typeof capabilities)[number],
  signal: AbortSignal | undefined,
): Promise<boolean | null> {
  if (isRefused(reader, id)) return false;
  if (asked.by === "versions") return await writesConditionally(reader, signal);
  if (asked.by === "aspects-of-none") return await readsAspects(reader, signal);
  if (asked.by === "flag") return (await readFeatureFlag(reader, asked.flag, signal)) ?? null;
  const type = typeOfField(asked.field);
  const fields = await fieldsOf(reader, type, asked.by, signal);
  if (fields.length > 0) return fields.includes(asked.field);
  // A server returns no fields if it has no such type, or if introspection is off.
  return (await fieldsOf(reader, "Query", "field", signal)).length > 0 ? false : null;
}

/** Whether the server has rejected a request that needs this capability. */
export function isRefused(reader: Reader, id: CapabilityId): boolean {
  return answersOf(reader).refused.has(id);
}

/**
 * Records that the server rejected a request because it lacks a capability, so that later requests do not use this capability.
 */
export function recordRefusal(reader: Reader, id: CapabilityId): void {
  answersOf(reader).refused.add(id);
}

/**
 * Whether the server supports conditional writes. Returns `true` if this is unknown. Throws `CatalogError` if the query fails, or
 * the signal's reason if it is aborted.
 */
export async function hasConditionalWrites(reader: Reader, signal?: AbortSignal): Promise<boolean> {
  return (await writesConditionally(reader, signal)) !== false;
}

/** The default user, which exists on every server (bootstrap_mcps/root-user.yaml). */
const firstUser = "urn:li:corpuser:datahub" as Urn;

/**
 * Whether the server supports conditional writes. Returns `null` if this is unknown. A server that can read many entities in one
 * request supports them. Otherwise, this function checks whether aspects have a version, because a gateway may have blocked the
 * first request.
 */
async function writesConditionally(reader: Reader, signal: AbortSignal | undefined): Promise<boolean | null> {
  const readsMany = await readsAspects(reader, signal);
  if (readsMany !== false) return readsMany;
  return await once(answersOf(reader).stored, "versions", async () => {
    const wanted = [{ urn: firstUser, aspects: ["corpUserInfo"] }];
    const answer = await reader.stored.read("corpuser", wanted, signal, { orEach: true });
    const aspects = typeof answer === "string" ? undefined : answer.get(firstUser);
    if (!aspects) return null;
    return Object.values(aspects).some((envelope) => {
      const system = isJsonObject(envelope) ? envelope["systemMetadata"] : undefined;
      const { version }: JsonObject = isJsonObject(system) ? system : {};
      return version !== undefined;
    });
  });
}

/** Whether the server supports requests for aspects, tested with an empty list of entities. `null` if this is unknown. */
export async function readsAspects(reader: Reader, signal?: AbortSignal): Promise<boolean | null> {
  return await once(answersOf(reader).stored, "aspects", async () => {
    const answer = await reader.stored.read("corpuser", [], signal);
    if (typeof answer !== "string") return true;
    return answer === "unknown" ? false : null;
  });
}

/**
 * Returns the selection for the fields of a type. A document may contain only one such selection, because graphql-java rejects a
 * second `__type` (GoodFaithIntrospection.java).
 */
export function probeSelection(type: string): string {
  return `__type(name: ${JSON.stringify(type)}) { fields { name } }`;
}

/** Builds the query for the fields of one type. */
export function probeDocument(type: string): string {
  return `query ProbeType { ${probeSelection(type)} }`;
}

/** Builds the query for the fields of one input type. */
export function probeInputDocument(type: string): string {
  return `query ProbeInput { __type(name: ${JSON.stringify(type)}) { inputFields { name } } }`;
}

/**
 * Returns the fields of types, as `Type.field`. Sends one request for each type that was not queried before. The result is empty
 * if introspection is off. Throws `CatalogError` if a request fails, or the signal's reason if it is aborted.
 */
export async function probeTypes(
  reader: Reader,
  types: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const type of types)
    for (const field of await fieldsOf(reader, type, "field", signal)) found.add(field);
  return found;
}

async function fieldsOf(
  reader: Reader,
  type: string,
  by: "field" | "input",
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const document = by === "field" ? probeDocument(type) : probeInputDocument(type);
  const { fields } = answersOf(reader);
  return await once(fields, type, async () => {
    const answer = await reader.query(document, {}, signal);
    const { named, isFinal } = probedFields(answer, type);
    if (!isFinal) fields.delete(type);
    return named;
  });
}

/** Returns the first of these types that has not been queried yet. */
export function firstUnprobed(reader: Reader, types: readonly string[]): string | undefined {
  const { fields } = answersOf(reader);
  return types.find((type) => !fields.has(type));
}

/** Stores the response to a document that contains the `probeSelection` of a type. */
export function recordProbe(reader: Reader, answer: Answer, type: string): void {
  const { named, isFinal } = probedFields(answer, type);
  if (isFinal) answersOf(reader).fields.set(type, Promise.resolve(named));
}

/** Returns the fields in a response, and whether the response is final rather than a temporary failure. */
function probedFields(
  { data, errors }: Answer,
  type: string,
): { readonly named: readonly string[]; readonly isFinal: boolean } {
  const found = data?.["__type"];
  const { fields, inputFields = fields }: JsonObject = isJsonObject(found) ? found : {};
  const named = (isJsonList(inputFields) ? inputFields : [])
    .filter(isJsonObject)
    .flatMap(({ name }) => (typeof name === "string" ? [`${type}.${name}`] : []));
  // An error with a code is temporary. An error without a code is final, because it means that introspection is off.
  return { named, isFinal: named.length > 0 || errors.every(({ code }) => code === undefined) };
}

const flagsType = "FeatureFlagsConfig";

/** Builds the query for a feature flag. Only newer servers support the requested flags. */
export function featureFlagDocument(flag: string): string {
  return `query ReadFeatureFlag { appConfig { featureFlags { ${flag} } } }`;
}

/** All documents that `readFeatureFlag` can send for a plan. */
export const featureFlagDocuments: ReadonlySet<string> = new Set(
  edgeSets.flatMap(({ exclusive }) =>
    exclusive ? [probeDocument(flagsType), featureFlagDocument(exclusive.unless)] : [],
  ),
);

/**
 * Returns whether a feature flag is on. Returns `false` if the server has no such flag, and `undefined` if introspection is off,
 * because the flag may not exist. Throws `CatalogError` if the flag cannot be read.
 */
export async function readFeatureFlag(
  reader: Reader,
  flag: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const fields = await probeTypes(reader, [flagsType], signal);
  if (fields.size === 0) return undefined;
  if (!fields.has(`${flagsType}.${flag}`)) return false;
  return await once(answersOf(reader).flags, flag, async () => {
    const { data, errors } = await reader.query(featureFlagDocument(flag), {}, signal);
    const config: unknown = data?.["appConfig"];
    const flags = isJsonObject(config) ? config["featureFlags"] : undefined;
    const value = isJsonObject(flags) ? flags[flag] : undefined;
    if (typeof value === "boolean") return value;
    const reason = errors[0]?.message ?? "the server's response does not contain it";
    throw new CatalogError("answer", `could not read the server setting ${flag}: ${reason}`);
  });
}
