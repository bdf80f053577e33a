import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { stringAt } from "../json.ts";
import { invalid, malformed } from "../errors.ts";

/** One operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: "add" | "remove" | "replace" | "test" | "move" | "copy";
  /** The parts of the path, decoded; they may be empty. */
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
}

const operations = ["add", "remove", "replace", "test", "move", "copy"] as const;

/**
 * Reads a JSON Patch.
 * @throws RequestError saying what is wrong with it.
 */
export function parseJsonPatch(sent: Json | undefined): readonly PatchOperation[] {
  if (!Array.isArray(sent)) throw malformed("A patch is no list of operations");
  return (sent as readonly Json[]).map((entry) => {
    if (!isJsonObject(entry)) throw malformed("An operation of the patch is not an object");
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
    throw malformed(`"${key}" of a patch operation is no path: ${JSON.stringify(entry[key] ?? null)}`);
  const parts = path.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The document with the operations applied. As in DataHub, objects on the way to a path are made where they are
 * missing, and to remove what is not there is no error (TemplateUtil.populateTopLevelKeys).
 * @throws RequestError when a path leads into no object, or a test fails.
 */
export function applyJsonPatch(document: JsonObject, patch: readonly PatchOperation[]): JsonObject {
  const root = structuredClone(document) as Record<string, Json>;
  for (const operation of patch) apply(root, operation);
  return root;
}

type Branch = Record<string, Json> | Json[];

function apply(root: Branch, { op, path, from, value }: PatchOperation): void {
  if (op === "add") set(root, path, structuredClone(value));
  else if (op === "remove") remove(root, path);
  else if (op === "replace") {
    present(root, path);
    remove(root, path);
    set(root, path, structuredClone(value));
  } else if (op === "test") {
    if (canonicalJson(present(root, path)) !== canonicalJson(value))
      throw invalid(`The test of the patch failed at ${shown(path)}`);
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
  if (value === undefined) throw invalid(`The patch finds nothing at ${shown(path)}`);
  return value;
}

function parentOf(root: Branch, path: readonly string[]): [Branch, string] {
  let parent = root;
  for (const part of path.slice(0, -1)) parent = childOf(parent, part, path);
  const last = path.at(-1) ?? "";
  if (last === "__proto__") throw invalid(`The patch cannot write ${shown(path)}`);
  return [parent, last];
}

function childOf(parent: Branch, part: string, path: readonly string[]): Branch {
  if (part === "__proto__") throw invalid(`The patch cannot write ${shown(path)}`);
  const child = Array.isArray(parent) ? parent[Number(part)] : (own(parent, part) ?? (parent[part] = {}));
  if (typeof child !== "object" || child === null)
    throw invalid(`The patch finds no object on the way to ${shown(path)}`);
  return child as Branch;
}

function own(parent: Record<string, Json>, key: string): Json | undefined {
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function indexIn(part: string, max: number, path: readonly string[]): number {
  if (!/^(0|[1-9]\d*)$/.test(part) || Number(part) > max)
    throw invalid(`The patch names no place in the list at ${shown(path)}`);
  return Number(part);
}

function shown(path: readonly string[]): string {
  return `/${path.join("/")}`;
}
