/** Collects declarations, rules, policies and problems while manifests are read file by file. */

import { isDefinitionKind } from "../../kinds/index.ts";
import type { CatalogPolicy, Waiver } from "../../model/catalog-policy.ts";
import type { Problem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import { packer } from "../../model/packed-declarations.ts";
import type { Declaration } from "../../model/declaration.ts";

/** A collection of declarations, rules, policies and problems, which reading adds to. */
export interface Collected {
  readonly problems: Problem[];
  /** In the order of the manifests. A packed declaration is unpacked at each access. */
  readonly declarations: readonly Declaration[];
  /** Packs a declaration, and adds it. */
  readonly declare: (declaration: Declaration) => void;
  readonly rules: Rule[];
  readonly policies: CatalogPolicy[];
  readonly waivers: Waiver[];
  /** Whether the manifests are from an earlier commit. A rule may then have the older form without `declare`. */
  readonly isHistory: boolean;
  documents: number;
  /** The number of manifests and files whose declarations are unknown because of errors. */
  unreadable: number;
}

/** An empty collection, for the current manifests or for the manifests of an earlier commit. */
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
