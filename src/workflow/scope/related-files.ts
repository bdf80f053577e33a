/** Finds manifest files that can contradict each other. Only these files need to be rechecked. */

import { edgeSets } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { fileOf } from "../../model/packed-declarations.ts";
import type { Rule } from "../../model/rule.ts";
import type { FileDeclarations } from "./rule-history.ts";
import type { Declaration } from "../../model/declaration.ts";

type RelatedFiles = (
  names: ReadonlySet<string>,
  files: ReadonlyMap<string, FileDeclarations>,
) => ReadonlySet<string>;

/**
 * Returns a function that finds the files that declare, or once declared, the same entities, rules or edges as the given files.
 */
export function relatedFiles(ever: readonly FileDeclarations[]): RelatedFiles {
  const byKey = new Map<string, Set<string>>();
  const add = (key: string, file: string): void => {
    const names = byKey.get(key) ?? new Set();
    byKey.set(key, names.add(file));
  };
  for (const { declarations, rules } of ever) {
    for (const declaration of declarations)
      for (const key of keysOf(declaration)) add(key, fileOf(declaration));
    for (const rule of rules) add(keyOfRule(rule), rule.origin.file);
  }
  return (names, files) => {
    const contents = [...names].flatMap((name) => files.get(name) ?? []);
    const keys = contents.flatMap(({ declarations, rules }) => [
      ...declarations.flatMap(keysOf),
      ...rules.map(keyOfRule),
    ]);
    return new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]));
  };
}

// This key differs from every URN and every kind.
function keyOfRule({ id }: Rule): string {
  return `rule ${id}`;
}

function keysOf({ entity }: Declaration): readonly string[] {
  const edges = edgeSets.filter(
    ({ facet, inverse }) => entity.facets.has(facet) || entity.facets.has(inverse),
  );
  const isInTree = kindOf(entity.kind).parentFacet !== undefined;
  return [entity.urn, ...edges.map(({ facet }) => `edges ${facet}`), ...(isInTree ? [entity.kind] : [])];
}
