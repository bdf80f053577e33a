import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { pointerTo } from "../schema/schema-path.ts";
import { orderFields } from "./field-order.ts";
import { printedDocuments } from "./print.ts";
import { commentText, unsetWord } from "./scalar-text.ts";

/** A manifest as plain data. `null` stands for a single value that is unset. */
export interface PlainManifest {
  readonly data: JsonObject;
  /** What is said beside a value or an element of a list, by its JSON pointer: `/domain`, `/owners/0`. */
  readonly comments?: ReadonlyMap<string, string>;
}

/** The text of a file that holds manifests, in canonical form: to format it changes nothing. */
export function manifestText(manifests: readonly PlainManifest[]): string {
  return printedDocuments(
    manifests.map(({ data, comments = new Map() }) => {
      const document = new Document(null);
      document.contents = nodeOf(data, "", comments);
      orderFields(document.contents, data);
      return document;
    }),
  );
}

function nodeOf(value: Json, pointer: string, comments: ReadonlyMap<string, string>): Node {
  const node = contentOf(value, pointer, comments);
  const comment = commentText(comments.get(pointer) ?? "");
  if (comment !== "") node.comment = ` ${comment}`;
  return node;
}

function contentOf(value: Json, pointer: string, comments: ReadonlyMap<string, string>): Node {
  if (isJsonList(value)) {
    const list = new YAMLSeq<Node>();
    list.flow = true;
    list.items = value.map((item, index) => nodeOf(item, `${pointer}/${index}`, comments));
    return list;
  }
  if (!isJsonObject(value)) return scalarOf(value);
  const mapping = new YAMLMap<Node, Node>();
  mapping.flow = true;
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const node = nodeOf(field, pointer + pointerTo(key), comments);
    mapping.items.push(new Pair<Node, Node>(scalarOf(key), node));
  }
  return mapping;
}

// A text is never taken for anything else: where that could be, it is quoted.
function scalarOf(value: string | number | boolean | null): Scalar {
  const scalar = new Scalar<string>(value === null ? unsetWord : String(value));
  scalar.type = typeof value === "string" ? Scalar.QUOTE_DOUBLE : Scalar.PLAIN;
  return scalar;
}
