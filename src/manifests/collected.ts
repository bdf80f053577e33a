import type { CatalogPolicy, Waiver } from "../model/catalog-policy.ts";
import type { Problem } from "../model/problem.ts";
import type { Rule } from "../model/rule.ts";
import type { Declaration } from "./declaration.ts";
import { packing } from "./packed-declarations.ts";

/** Where the reading of manifests puts what it finds. */
export interface Collected {
  readonly problems: Problem[];
  /** In the order of the manifests. Those that are packed are made anew at each access. */
  readonly declarations: readonly Declaration[];
  /** Packs a declaration, and adds it. */
  readonly declare: (declaration: Declaration) => void;
  readonly rules: Rule[];
  readonly policies: CatalogPolicy[];
  readonly waivers: Waiver[];
  /** Whether earlier commits are read: then a rule may have the form that was valid before `declare`. */
  readonly isHistory: boolean;
  documents: number;
  /** How many manifests and files are so broken that it is not known what they declare. */
  unreadable: number;
}

/** Where nothing has been read yet, now or of an earlier commit. */
export function nothingCollected(isHistory = false): Collected {
  const declarations: Declaration[] = [];
  const pack = packing();
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
