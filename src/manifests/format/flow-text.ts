import { isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import { scalarText } from "./scalar-text.ts";

/**
 * A node in one line, `{ user: alice, type: DATA_STEWARD }` or `[pii, tier-1]`: without comments, and without the anchor and the
 * tag of the node itself.
 */
export function flowContent(node: Node): string {
  if (isScalar<string>(node)) return scalarText(node, true);
  if (isSeq<Node>(node)) return `[${node.items.map(flowText).join(", ")}]`;
  if (!isMap<Node, Node | null>(node)) return "";
  const entries = node.items.map(({ key, value }) => `${flowText(key)}: ${flowText(value)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function flowText(node: Node | null): string {
  if (node === null) return "null";
  if (isAlias(node)) return `*${node.source}`;
  return `${propertiesOf(node)}${flowContent(node)}`;
}

function propertiesOf(node: Node): string {
  const { anchor, tag } = node as { readonly anchor?: string; readonly tag?: string };
  return `${anchor === undefined ? "" : `&${anchor} `}${tag === undefined ? "" : `${tagText(tag)} `}`;
}

function tagText(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, "!!");
}
