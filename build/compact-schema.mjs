/** @typedef {{ readonly [keyword: string]: unknown }} Schema */
/** @typedef {(part: Schema, keyword: string) => Schema} Change */

// The keywords that have schemas in them: by name, in a list, and one.
const byName = new Set(["definitions", "properties"]);
const inList = new Set(["allOf", "anyOf", "oneOf"]);
const single = new Set(["additionalProperties", "else", "if", "items", "not", "propertyNames", "then"]);

/** What only readers need. */
const annotations = new Set(["title", "description", "examples", "default"]);

/** How many characters a part has at least that becomes a function of its own. */
const leastLength = 300;

/**
 * A schema that finds the same errors and is compiled to less code: without annotations, and with a definition for each large part
 * that is there several times. A part within a choice stays where it is, and so does what is not the value of a field: messages
 * are made from the place of what failed, and from the schemas directly in it.
 * @param {Schema} schema
 * @returns {Schema}
 */
export function compactSchema(schema) {
  const bare = withoutAnnotations(schema);
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Change} */
  const counted = (part, keyword) => {
    if (!isMovable(part, keyword)) return changedOutsideChoices(part, counted);
    const text = JSON.stringify(part);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 1 ? changedOutsideChoices(part, counted) : part;
  };
  changedOutsideChoices(bare, counted);
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {Record<string, Schema>} */
  const definitions = {};
  /** @type {Change} */
  const moved = (part, keyword) => {
    const text = JSON.stringify(part);
    if (!isMovable(part, keyword) || counts.get(text) === 1) return changedOutsideChoices(part, moved);
    const known = names.get(text);
    const name = known ?? `repeated${names.size}`;
    if (known === undefined) {
      names.set(text, name);
      definitions[name] = changedOutsideChoices(part, moved);
    }
    return { $ref: `#/definitions/${name}` };
  };
  const { definitions: own, ...rest } = changedOutsideChoices(bare, moved);
  return { ...rest, definitions: { ...own, ...definitions } };
}

/** @type {(part: Schema) => Schema} */
function withoutAnnotations(part) {
  const kept = Object.entries(part).filter(([keyword]) => !annotations.has(keyword));
  return changed(Object.fromEntries(kept), withoutAnnotations);
}

/** @type {(part: Schema, keyword: string) => boolean} */
function isMovable(part, keyword) {
  const isOfField = keyword === "properties" || keyword === "additionalProperties";
  return isOfField && part["type"] === "object" && JSON.stringify(part).length >= leastLength;
}

/** @type {(schema: Schema, change: Change) => Record<string, any>} */
function changedOutsideChoices(schema, change) {
  return changed(schema, (part, keyword) =>
    keyword === "anyOf" || keyword === "oneOf" ? part : change(part, keyword),
  );
}

/**
 * A schema with those changed that are directly in it.
 * @param {Schema} schema
 * @param {Change} change
 * @returns {Record<string, any>}
 */
function changed(schema, change) {
  const entries = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    changedIn(keyword, value, change),
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {string} keyword
 * @param {any} value
 * @param {Change} change
 */
function changedIn(keyword, value, change) {
  /** @param {unknown} part */
  const changedPart = (part) =>
    typeof part === "object" && part !== null ? change(/** @type {Schema} */ (part), keyword) : part;
  if (inList.has(keyword)) return value.map(changedPart);
  if (single.has(keyword)) return changedPart(value);
  if (!byName.has(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changedPart(part)]));
}
