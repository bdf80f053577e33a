/** Collects declarations, rules, policies and problems while manifests are read file by file. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { CatalogPolicy, Waiver } from "../../model/catalog-policy.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import { packer } from "../../model/packed-declarations.ts";
import type { Declaration } from "../../model/declaration.ts";

/** The declarations, rules, policies and problems that have been read so far. */
export interface Collected {
  readonly problems: Problem[];
  /** The declarations, in manifest order. */
  readonly declarations: readonly Declaration[];
  /** Adds a declaration. Declarations of assets are packed to save memory, and unpacked on each access. */
  readonly declare: (declaration: Declaration) => void;
  readonly rules: Rule[];
  readonly policies: CatalogPolicy[];
  readonly waivers: Waiver[];
  /** Whether the manifests are from an earlier commit. If so, rules may use the older notation without `declare`. */
  readonly isHistory: boolean;
  documents: number;
  /** The number of manifests and files whose declarations are unknown because of errors. */
  unreadable: number;
}

/** Creates an empty collection, for current manifests or for manifests from an earlier commit. */
export function emptyCollection(isHistory = false): Collected {
  const declarations: Declaration[] = [];
  const pack = packer((kind) => !isDefinitionKind(kind));
  const declare = (declaration: Declaration): void => void declarations.push(pack(declaration));
  return {
    problems: [],
    declarations,
    declare,
    rules: [],
    policies: [],
    waivers: [],
    isHistory,
    documents: 0,
    unreadable: 0,
  };
}
