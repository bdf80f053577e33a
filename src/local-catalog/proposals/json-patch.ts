/** Parses JSON Patches (RFC 6902), and applies them as DataHub does. */

import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { stringAt } from "../json.ts";
import { invalid, malformed } from "../errors.ts";

const operations = ["add", "remove", "replace", "test", "move", "copy"] as const;

/** One operation in a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: (typeof operations)[number];
  /** The decoded keys in the path. A key can be empty. */
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

/**
 * Parses a JSON Patch.
 * @throws RequestError when the patch is invalid.
 */
export function parseJsonPatch(sent: Json | undefined): readonly PatchOperation[] {
  if (!isJsonList(sent)) throw malformed("A patch must be a list of operations");
  return sent.map((entry) => {
    if (!isJsonObject(entry)) throw malformed("A patch operation must be an object");
    const name = stringAt(entry, "op")?.toLowerCase();
    const op = operations.find((known) => known === name);
    if (!op) throw malformed(`Unsupported PATCH operation: ${JSON.stringify(entry["op"] ?? null)}`);
    const value = entry["value"];
    if (value === undefined && (op === "add" || op === "replace" || op === "test"))
      throw malformed(`The patch operation ${op} has no value`);
    const from = op === "move" || op === "copy" ? partsOf(entry, "from") : [];
    return { op, path: partsOf(entry, "path"), from, value: value ?? null };
  });
}

function partsOf(entry: JsonObject, key: string): readonly string[] {
  const path = stringAt(entry, key);
  if (path === null || !/^\/(?:[^~]|~[01])*$/s.test(path))
    throw malformed(
      `"${key}" in a patch operation is not a valid JSON Pointer: ${JSON.stringify(entry[key] ?? null)}`,
    );
  const parts = path.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Applies the operations to a copy of the document and returns the copy. As in DataHub, creates missing objects along a path, and
 * ignores the removal of a missing value (TemplateUtil.populateTopLevelKeys).
 * @throws RequestError when a path leads through a value that is not an object or a list, or when a test fails.
 */
export function applyJsonPatch(document: JsonObject, patch: readonly PatchOperation[]): JsonObject {
  const root: MutableObject = { ...structuredClone(document) };
  for (const operation of patch) apply(root, operation);
  return root;
}

interface MutableObject {
  [key: string]: Json | undefined;
}

type Branch = MutableObject | Json[];

function apply(root: Branch, { op, path, from, value }: PatchOperation): void {
  if (op === "add") set(root, path, structuredClone(value));
  else if (op === "remove") remove(root, path);
  else if (op === "replace") {
    present(root, path);
    remove(root, path);
    set(root, path, structuredClone(value));
  } else if (op === "test") {
    if (canonicalJson(present(root, path)) !== canonicalJson(value))
      throw invalid(`The patch test failed at ${shown(path)}`);
  } else {
    const moved = structuredClone(present(root, from));
    if (op === "move") remove(root, from);
    set(root, path, moved);
  }
}

function set(root: Branch, path: readonly string[], value: Json): void {
  const [parent, last] = parentOf(root, path);
  if (!Array.isArray(parent)) parent[last] = value;
  else parent.splice(last === "-" ? parent.length : indexIn(last, parent.length, path), 0, value);
}

function remove(root: Branch, path: readonly string[]): void {
  const [parent, last] = parentOf(root, path);
  if (!Array.isArray(parent)) delete parent[last];
  else if (Number(last) < parent.length) parent.splice(indexIn(last, parent.length - 1, path), 1);
}

function present(root: Branch, path: readonly string[]): Json {
  const [parent, last] = parentOf(root, path);
  const value = Array.isArray(parent) ? parent[Number(last)] : own(parent, last);
  if (value === undefined) throw invalid(`There is no value at ${shown(path)} to patch`);
  return value;
}

function parentOf(root: Branch, path: readonly string[]): [Branch, string] {
  let parent = root;
  for (const part of path.slice(0, -1)) parent = childOf(parent, part, path);
  const last = path.at(-1) ?? "";
  if (last === "__proto__") throw invalid(`The patch cannot write to ${shown(path)}`);
  return [parent, last];
}

function childOf(parent: Branch, part: string, path: readonly string[]): Branch {
  if (part === "__proto__") throw invalid(`The patch cannot write to ${shown(path)}`);
  const child = Array.isArray(parent) ? parent[Number(part)] : (own(parent, part) ?? (parent[part] = {}));
  if (!isBranch(child)) throw invalid(`The path ${shown(path)} leads through a value that is not an object`);
  return child;
}

function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null;
}

function own(parent: MutableObject, key: string): Json | undefined {
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function indexIn(part: string, max: number, path: readonly string[]): number {
  if (!/^(0|[1-9]\d*)$/.test(part) || Number(part) > max)
    throw invalid(`The path ${shown(path)} does not contain a valid list index`);
  return Number(part);
}

function shown(path: readonly string[]): string {
  return `/${path.join("/")}`;
}
