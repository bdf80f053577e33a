import type { ErrorObject } from "ajv";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../problem.ts";
import { offsetOf, pointerTo, type Root } from "../schema/schema-path.ts";
import { originIn, placesIn, type SourcePlace } from "../yaml/parsed-document.ts";
import { declarableKeys, declareKey, ruleKeys } from "./rule-schema.ts";

const declarePath = pointerTo(declareKey);

/** Whether a rule has what it declares beside its other keys: valid before `declare` came to be. */
export function isEarlierForm(value: JsonObject, kind: Kind): boolean {
  return value[declareKey] === undefined && earlierKeys(kind).some((key) => value[key] !== undefined);
}

/** A rule of the earlier form as it is written today. */
export function withDeclare(value: JsonObject, kind: Kind): JsonObject {
  const keys = new Set(earlierKeys(kind));
  const entries = Object.entries(value);
  return {
    ...Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    [declareKey]: Object.fromEntries(entries.filter(([key]) => keys.has(key))),
  };
}

// Such a rule could not declare what is called like a key of its own.
function earlierKeys(kind: Kind): readonly string[] {
  return declarableKeys(kind.name).filter((key) => !ruleKeys.has(key));
}

/** The mapping that declares: empty where there is none. */
export function declareOf(root: Root): Root {
  const { [declareKey]: declare } = root.value;
  const value = isJsonObject(declare) ? declare : {};
  return { ...root, value, start: offsetOf(root, [declareKey], true) };
}

/** Whether an error of a rule is about what is below `declare`. */
export function isBelowDeclare({ instancePath, keyword }: ErrorObject): boolean {
  return (
    instancePath.startsWith(`${declarePath}/`) ||
    (instancePath === declarePath && keyword === "additionalProperties")
  );
}

/** An error of a rule as one of the mapping that declares. */
export function withoutDeclare(error: ErrorObject): ErrorObject {
  return { ...error, instancePath: error.instancePath.slice(declarePath.length) };
}

/** The longest entry that a message repeats. */
const maxEntryLength = 60;

/** One problem for all keys that belong below `declare`, and the errors that remain. */
export function misplacedFacets(
  { document, value }: Root,
  errors: readonly ErrorObject[],
  { name }: Kind,
): { readonly problems: readonly Problem[]; readonly errors: readonly ErrorObject[] } {
  const declarable = new Set(declarableKeys(name));
  const unknown = new Set(errors.flatMap((error) => unknownKeyOf(error) ?? []));
  const misplaced = [...placesIn(document, value)].filter(([key]) => unknown.has(key) && declarable.has(key));
  const fields = misplaced.map(([key]) => key);
  const rest = errors.filter((error) => !isOfDeclare(error) && !fields.includes(unknownKeyOf(error) ?? ""));
  const [first] = misplaced;
  if (!first) return { problems: [], errors: rest };
  const entries = misplaced.map(([key, place]) => entryText(key, place, document.source.text));
  const write = `${declareKey}: { ${entries.join(", ")} }`;
  const origin = originIn(document, first[1].key);
  return { problems: [errorAt(origin, "misplaced-facets", { fields, write })], errors: rest };
}

/** The key at the top of a rule that no rule has. */
function unknownKeyOf({ instancePath, keyword, params }: ErrorObject): string | undefined {
  const isUnknown = instancePath === "" && keyword === "additionalProperties";
  return isUnknown ? String(params["additionalProperty"]) : undefined;
}

function isOfDeclare({ instancePath, keyword, params }: ErrorObject): boolean {
  return instancePath === "" && keyword === "required" && params["missingProperty"] === declareKey;
}

/** An entry as it is written, if it is one short line. */
function entryText(key: string, { key: start, end }: SourcePlace, text: string): string {
  const written = text.slice(start, Math.min(end, start + maxEntryLength + 1)).trim();
  return written.includes("\n") || written.length > maxEntryLength ? `${key}: …` : written;
}
