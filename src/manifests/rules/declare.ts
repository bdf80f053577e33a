/** Reads `declare` in rules, and supports older rules without this key. */

import type { ErrorObject } from "ajv";
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt } from "../base/problem.ts";
import { mappingOf } from "../schema/schema-part.ts";
import { locate, pointerTo, type Root } from "../schema/schema-path.ts";
import { originIn, placesIn, type SourcePlace } from "../yaml/parsed-document.ts";
import { declarableKeys, declareKey, ruleKeys } from "../schema/rule-schema.ts";

const declarePath = pointerTo(declareKey);

/**
 * Converts a rule to the current form with `declare` if its declarations are at the top level, which was valid before `declare` was
 * introduced. Returns any other rule unchanged.
 */
export function withDeclare(value: JsonObject, kind: Kind): JsonObject {
  // An older rule could not declare a facet with the same name as a rule key.
  const keys = new Set(declarableKeys(kind.name).filter((key) => !ruleKeys.has(key)));
  const entries = Object.entries(value);
  const declared = entries.filter(([key]) => keys.has(key));
  if (value[declareKey] !== undefined || declared.length === 0) return value;
  return {
    ...Object.fromEntries(entries.filter(([key]) => !keys.has(key))),
    [declareKey]: Object.fromEntries(declared),
  };
}

/** Returns the mapping below `declare`, or an empty mapping if there is none. */
export function declareOf(root: Root): Root {
  const value = mappingOf(root.value[declareKey]);
  return { ...root, value, start: locate(root, [declareKey])?.place.key ?? root.start };
}

/** Whether an error concerns a field below `declare`. */
export function isBelowDeclare({ instancePath, keyword }: ErrorObject): boolean {
  return (
    instancePath.startsWith(`${declarePath}/`) ||
    (instancePath === declarePath && keyword === "additionalProperties")
  );
}

/** Makes an error's path relative to `declare`. */
export function relativeToDeclare(error: ErrorObject): ErrorObject {
  return { ...error, instancePath: error.instancePath.slice(declarePath.length) };
}

/** The maximum length of an entry in a message. */
const maxEntryLength = 60;

/** Reports all keys that belong below `declare` as one problem, and returns the remaining errors. */
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

/** Returns the unknown key that an error reports at the top level of a rule; `undefined` for other errors. */
function unknownKeyOf({ instancePath, keyword, params }: ErrorObject): string | undefined {
  const isUnknown = instancePath === "" && keyword === "additionalProperties";
  return isUnknown ? String(params["additionalProperty"]) : undefined;
}

function isOfDeclare({ instancePath, keyword, params }: ErrorObject): boolean {
  return instancePath === "" && keyword === "required" && params["missingProperty"] === declareKey;
}

/** Returns an entry's source text if it is one short line; otherwise the key and an ellipsis. */
function entryText(key: string, { key: start, end }: SourcePlace, text: string): string {
  const written = text.slice(start, Math.min(end, start + maxEntryLength + 1)).trim();
  return written.includes("\n") || written.length > maxEntryLength ? `${key}: …` : written;
}
