import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import type { EditFault, Path } from "./edit.ts";

/** A pair of a mapping, as it was parsed. */
type ParsedPair = YAMLMap.Parsed["items"][number];

/** The pair that a path leads to, and the mapping that holds it. */
export interface Found {
  readonly map: YAMLMap.Parsed;
  readonly pair: ParsedPair;
  readonly value: ParsedNode;
}

/** Goes down a path to the pair of its last key. What other places repeat, or others hold, is not found. */
export function findValue(node: ParsedNode, path: Path): Found | EditFault {
  let current: ParsedNode = node;
  let found: Found | undefined;
  for (const step of path) {
    const next = typeof step === "number" ? elementAt(current, step) : pairAt(current, step);
    if (typeof next === "string") return next;
    if ("map" in next) found = next;
    current = "map" in next ? next.value : next;
  }
  if (isAlias(current)) return "alias";
  return found ?? "absent";
}

function elementAt(node: ParsedNode, index: number): ParsedNode | EditFault {
  if (isAlias(node)) return "alias";
  return (isSeq(node) ? node.items[index] : undefined) ?? "absent";
}

function pairAt(node: ParsedNode, key: string): Found | EditFault {
  if (isAlias(node)) return "alias";
  if (!isMap(node)) return "absent";
  const pair = node.items.find((each) => isScalar(each.key) && each.key.source === key);
  if (pair?.value) return { map: node, pair, value: pair.value };
  return node.items.some(isMerge) ? "merge-key" : "absent";
}

function isMerge({ key }: ParsedPair): boolean {
  return isScalar(key) && key.source === "<<" && key.type === "PLAIN";
}
