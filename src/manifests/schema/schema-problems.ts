/** Converts errors from schema checks to problems. */

import type { ErrorObject } from "ajv";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Problem, ProblemCode, ProblemOf, ProblemTable } from "../../model/problem.ts";
import { patternMeanings } from "./review-fields.ts";
import { canBeUnset, identityFields } from "../base/unsettable.ts";
import { errorAt, foundTypeOf } from "../base/problem.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { suggestedText } from "./replacement.ts";
import { listOf, mappingOf, numberOf } from "./schema-part.ts";
import { fieldName, locate, originAt, type Path, pathOf, type Root } from "./schema-path.ts";
import { sourceAt } from "../yaml/parsed-document.ts";

/** A mapping that was checked against a schema. */
export interface Checked extends Root {
  /** The mapping's name in messages. */
  readonly what: string;
  /** The kind of entity that the fields belong to, if there is one. It determines which fields can be unset. */
  readonly kind?: Kind | undefined;
  /** Returns the value that the user probably meant, if a search for similar spellings would not find that value. */
  readonly meantBy?: (field: string, value: string) => string | undefined;
}

/** Converts the errors from a schema check to problems. Leaves out errors that another error already covers. */
export function schemaProblems(checked: Checked, errors: readonly ErrorObject[]): readonly Problem[] {
  const unknown = new Set(
    errors
      .filter(({ keyword }) => keyword === "additionalProperties")
      .map(({ instancePath }) => instancePath),
  );
  return errors
    .filter((error) => !isConsequence(error) && !(isChoice(error) && unknown.has(error.instancePath)))
    .map((error) => problemOf(checked, error, pathOf(error.instancePath)));
}

/** Returns the fields with errors. If the error is in an entry of a field's mapping, also returns `field/entry`. */
export function badFields(errors: readonly ErrorObject[]): ReadonlySet<string> {
  return new Set(
    errors.flatMap(({ instancePath }) => {
      const [field = "", entry] = pathOf(instancePath);
      return entry === undefined ? [field] : [field, `${field}/${entry}`];
    }),
  );
}

// Whether another error already covers this error. The `if` error repeats the error from its branch, and the error for a choice
// covers the errors from its branches.
function isConsequence(error: ErrorObject): boolean {
  const { keyword, schemaPath, data } = error;
  return keyword === "if" || /\/(one|any)Of\//.test(schemaPath) || (isChoice(error) && !isJsonObject(data));
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

function problemOf(checked: Checked, error: ErrorObject, path: Path): Problem {
  const { keyword } = error;
  const at: At = (code, args, end = path, onKey = false) =>
    errorAt(originAt(checked, end, onKey), code, args);
  const field = fieldName(path);
  switch (keyword) {
    case "additionalProperties":
      return unknownField(checked, error, path, at);
    case "required":
      return at(
        "missing-field",
        { field: String(error.params["missingProperty"]), in: field || checked.what },
        path,
        true,
      );
    case "type":
    case "pattern": {
      // The schema's own description of a pattern is not available, because compiled checks contain no descriptions.
      const pattern = String(error.params["pattern"]);
      const meaning = typeof error.data === "string" ? patternMeanings.get(pattern) : undefined;
      if (meaning !== undefined)
        return at("invalid-value", { field, reason: `must be ${meaning}, but is \`${String(error.data)}\`` });
      return error.data === null
        ? at("null-value", { field, ...nullArgs(checked, error, path) }, path, true)
        : at("wrong-type", { field, ...typeArgs(checked, error, path) });
    }
    case "enum":
    case "const":
      return at("unknown-value", valueArgs(checked, field, error));
    case "minLength":
      return at("empty-text", {
        field,
        ...(path.length === 1 && canBeUnset(checked.kind, field) && { none: `${field}: none` }),
      });
    case "minItems":
      return at("empty-list", { field });
    case "minProperties":
      return at("empty-mapping", { field: field || checked.what });
    case "oneOf":
      return at("one-of-fields", choiceArgs(field || checked.what, error));
    case "anyOf":
      return at("missing-one-of", { field: field || checked.what, fields: branchFields(error) }, path, true);
    case "minimum":
    case "maximum":
      return at("out-of-range", rangeArgs(checked, path, error));
    case "false schema":
      return at("conflicting-fields", { field, other: "urn" }, path, true);
    default:
      return at("invalid-value", { field, reason: error.message ?? keyword });
  }
}

type At = <Code extends ProblemCode>(
  code: Code,
  args: ProblemTable[Code],
  end?: Path,
  onKey?: boolean,
) => ProblemOf<Code>;

function unknownField({ what, kind }: Checked, error: ErrorObject, path: Path, at: At): Problem {
  const field = String(error.params["additionalProperty"]);
  const known = Object.keys(mappingOf(error.parentSchema?.["properties"])).filter((name) => name !== "kind");
  const other = path.length === 0 ? kind?.otherNames?.[field] : undefined;
  const suggestion = other ?? suggestionFor(field, known);
  return at(
    "unknown-field",
    { field, in: fieldName(path) || what, known, suggestion },
    [...path, field],
    true,
  );
}

/**
 * Suggests the only known name that begins with the given text, such as `manager_urn` for `manager`; otherwise the closest
 * spelling.
 */
function suggestionFor(text: string, known: readonly string[]): string | undefined {
  const longer = known.filter((name) => name.startsWith(`${text}.`) || name.startsWith(`${text}_`));
  return longer.length === 1 ? longer[0] : nearestSpelling(text, known);
}

/** The arguments for a problem code, except the field. */
type Details<Code extends "null-value" | "wrong-type"> = Omit<ProblemTable[Code], "field">;

function nullArgs(checked: Checked, error: ErrorObject, path: Path): Details<"null-value"> {
  const key = path.at(-1) ?? "";
  const expected = typeNames(error)[0] ?? "";
  const found = locate(checked, path);
  if (found?.inList) return { expected: "element" };
  const color = found && commentedColor(checked.document.source.text.slice(found.place.key));
  if (color !== undefined) return { expected: "comment", write: `${key}: "${color}"` };
  if (expected === "array") return { expected, write: `${key}: []` };
  if (expected === "object") return { expected };
  if (path.length === 1 && identityFields.has(key)) return { expected: "identity" };
  return { expected, ...(path.length === 1 && canBeUnset(checked.kind, key) && { write: `${key}: none` }) };
}

/** Finds an unquoted color such as `#1a7f37`, which YAML reads as a comment. `text` begins at the key. */
function commentedColor(text: string): string | undefined {
  return /^[^\n:]*:[ \t]+(#[0-9A-Fa-f]{3,8})\s/.exec(`${text.slice(0, 200)}\n`)?.[1];
}

function typeArgs(checked: Checked, error: ErrorObject, path: Path): Details<"wrong-type"> {
  const expected = typeNames(error)[0] ?? "";
  const place = locate(checked, path)?.place;
  const source = place ? sourceAt(checked.document, place) : "";
  const write = suggestedText({
    expected,
    error,
    source,
    plain: place?.plain ?? false,
    canUnset: canBeUnset(checked.kind, path[0] ?? ""),
  });
  const fraction = expected === "integer" && typeof error.data === "number";
  return { expected, found: fraction ? "fraction" : foundTypeOf(error.data), write };
}

function typeNames({ keyword, schema, parentSchema }: ErrorObject): readonly string[] {
  const type: unknown = keyword === "type" ? schema : parentSchema?.["type"];
  return Array.isArray(type) ? type.map(String) : [String(type)];
}

function valueArgs({ meantBy }: Checked, field: string, error: ErrorObject): ProblemTable["unknown-value"] {
  const allowed = [...new Set([error.schema].flat().map(String))];
  const found = foundTypeOf(error.data);
  if (found === "array" || found === "object") return { field, value: found, found, allowed };
  const value = String(error.data);
  return { field, value, allowed, suggestion: meantBy?.(field, value) ?? suggestionFor(value, allowed) };
}

// Quotes the value as written in the source, because a parsed number that is too large may have lost its last digits.
function rangeArgs(checked: Checked, path: Path, error: ErrorObject): ProblemTable["out-of-range"] {
  const { minimum, maximum } = error.parentSchema ?? {};
  const place = locate(checked, path)?.place;
  const value = place?.plain === true ? sourceAt(checked.document, place) : String(error.data);
  return { field: fieldName(path), value, minimum: numberOf(minimum) ?? 0, maximum: numberOf(maximum) };
}

function branchFields(error: ErrorObject): readonly string[] {
  return listOf(error.schema).flatMap((branch) => listOf(mappingOf(branch)["required"]).map(String));
}

function choiceArgs(field: string, error: ErrorObject): ProblemTable["one-of-fields"] {
  const fields = branchFields(error);
  const data = isJsonObject(error.data) ? error.data : {};
  return { field, fields, found: fields.filter((name) => data[name] !== undefined) };
}
