import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { pointerTo } from "../../schema/schema-path.ts";
import { orderedFields } from "./field-order.ts";
import { collectionLines, flowContent, type Level, printedDocuments } from "./print.ts";
import type { Collection, Entry, Text, Tree } from "./tree.ts";
import { commentText, type FlowStyle, unsetWord } from "./value-text.ts";

/** A manifest as plain data. `null` stands for a single value that is unset. */
export interface PlainManifest {
  readonly data: JsonObject;
  /** What is said beside a value or an element of a list, by its JSON pointer: `/domain`, `/owners/0`. */
  readonly comments?: ReadonlyMap<string, string>;
}

/** The text of a file that holds manifests, in canonical form: to format it changes nothing. */
export function manifestText(manifests: readonly PlainManifest[]): string {
  return printedDocuments(
    manifests.map(({ data, comments = new Map() }) => ({
      above: [],
      value: orderedFields(treeOf(data, "", comments), data),
      beside: [],
    })),
  );
}

/** The lines of some entries of a mapping, in canonical form. */
export function entriesText(data: JsonObject, level: Level): string {
  return collectionLines(mappingOf(data, "", new Map()), level, 0).join("\n");
}

/** A value in one line. */
export function flowText(value: Json, style: FlowStyle = {}): string {
  return flowContent(treeOf(value, "", new Map()), style);
}

type Comments = ReadonlyMap<string, string>;

function entryOf(key: string | undefined, value: Json, pointer: string, comments: Comments): Entry {
  const comment = commentText(comments.get(pointer) ?? "");
  return {
    above: [],
    ...(key !== undefined && { key: textOf(key) }),
    value: treeOf(value, pointer, comments),
    beside: comment === "" ? [] : [`# ${comment}`],
  };
}

function treeOf(value: Json, pointer: string, comments: Comments): Tree {
  if (isJsonObject(value)) return mappingOf(value, pointer, comments);
  if (!isJsonList(value)) return textOf(value);
  const entries = value.map((each, index) => entryOf(undefined, each, `${pointer}/${index}`, comments));
  return { type: "list", entries, after: [], properties: "" };
}

function mappingOf(value: JsonObject, pointer: string, comments: Comments): Collection {
  const entries = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [entryOf(key, field, pointer + pointerTo(key), comments)],
  );
  return { type: "mapping", entries, after: [], properties: "" };
}

// A text is never taken for anything else: where that could be, it is quoted.
function textOf(value: string | number | boolean | null): Text {
  const style = typeof value === "string" ? "quoted" : "plain";
  return { type: "text", value: value === null ? unsetWord : String(value), style, properties: "" };
}
