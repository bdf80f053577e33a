import { isCollection, isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { hasCommentsInside, keepBeforeFirst, settleBesideItem, settleBesideKey } from "./comments.ts";
import { flowContent } from "./flow-text.ts";
import { blockStyle, scalarText } from "./scalar-text.ts";
import { declareKey } from "../rules/rule-schema.ts";

/** The columns that a line fills, its comment not counted. */
export const lineWidth = 100;

/** Where a node stands: how far its lines are indented, and in which column it begins where it has one line. */
interface Place {
  /** What a rule declares is laid out as a manifest. */
  readonly level: "manifest" | "field" | "below";
  readonly indent: number;
  readonly start: number;
}

/**
 * Gives every node of a document its style: a manifest, or a list of them. A scalar or a collection in one line becomes a
 * plain scalar with exactly the text to print.
 */
export function laidOut(root: Node): Node {
  if (!isSeq<Node>(root) || root.items.length === 0)
    return nodeAt(root, { level: "manifest", indent: 0, start: 0 });
  listAt(root, { level: "manifest", indent: 0, start: 0 });
  for (const [index, item] of root.items.entries()) item.spaceBefore = index > 0;
  return root;
}

function nodeAt(node: Node, place: Place): Node {
  const { anchor } = node as { readonly anchor?: string };
  const start = place.start + (anchor === undefined ? 0 : anchor.length + 2);
  node.spaceBefore = place.level !== "manifest" && node.spaceBefore === true;
  if (isScalar<string>(node)) return scalarAt(node, start);
  if (!isCollection(node)) return node;
  if (canBeOneLine(node, place)) {
    const text = flowContent(node);
    if (node.items.length === 0 || start + text.length <= lineWidth) return printed(node, text);
  }
  if (isMap<Node, Node | null>(node)) mappingAt(node, place);
  else if (isSeq<Node>(node)) listAt(node, place);
  return node;
}

function scalarAt(node: Scalar<string>, start: number): Scalar {
  const style = node.tag === undefined ? blockStyle(node.value, lineWidth - start) : undefined;
  if (style !== undefined) node.type = style;
  else setText(node, scalarText(node, false));
  return node;
}

function setText(node: Scalar<string>, text: string): void {
  node.value = text;
  node.type = Scalar.PLAIN;
}

function printed(node: YAMLMap | YAMLSeq, text: string): Scalar {
  const scalar = new Scalar<string>(text);
  setText(scalar, text);
  if (node.anchor !== undefined) scalar.anchor = node.anchor;
  scalar.comment = node.comment ?? null;
  scalar.commentBefore = node.commentBefore ?? null;
  scalar.spaceBefore = node.spaceBefore === true;
  return scalar;
}

/** Whether a collection reads well in one line: a field's mapping of scalars, its list of scalars or of one element, and all below. */
function canBeOneLine(node: YAMLMap | YAMLSeq, { level }: Place): boolean {
  if (node.tag !== undefined || hasCommentsInside(node)) return false;
  if (level !== "field") return level === "below" || node.items.length === 0;
  if (isMap<Node, Node | null>(node)) return node.items.every(({ value }) => !isCollection(value));
  return node.items.length === 1 || node.items.every((item) => !isCollection(item));
}

function mappingAt(node: YAMLMap<Node, Node | null>, { level, indent }: Place): void {
  const below = level === "manifest" ? "field" : "below";
  node.flow = false;
  for (const [index, pair] of node.items.entries()) {
    const { key } = pair;
    if (index === 0) key.spaceBefore = false;
    if (!isScalar<string>(key)) continue;
    setText(key, scalarText(key, false));
    if (pair.value === null) continue;
    keepBeforeFirst(pair.value);
    const wasFlow = isCollection(pair.value) && pair.value.flow === true;
    const isDeclare = level === "manifest" && key.value === declareKey && isMap(pair.value);
    pair.value = nodeAt(pair.value, {
      level: isDeclare ? "manifest" : below,
      indent: indent + 2,
      start: indent + key.value.length + 2,
    });
    settleBesideKey(key, pair.value, wasFlow);
  }
}

function listAt(node: YAMLSeq<Node>, { level, indent }: Place): void {
  const below = level === "manifest" ? "manifest" : "below";
  node.flow = false;
  node.items = node.items.map((item, index) => {
    const wasFlow = isCollection(item) && item.flow === true;
    const { spaceBefore } = item;
    const laid = nodeAt(item, { level: below, indent: indent + 2, start: indent + 2 });
    laid.spaceBefore = index > 0 && spaceBefore === true;
    settleBesideItem(laid, wasFlow);
    return laid;
  });
}
