/** Defines the result of reading a manifest directory: declared entities, rules, policies and file names. */

import type { State } from "../../model/state.ts";
import type { References } from "../../model/reference.ts";
import type { Rule, Exemptions } from "../../model/rule.ts";
import type { CatalogPolicy, Waiver } from "../../model/catalog-policy.ts";
import type { Problem } from "../../model/problem.ts";
import type { Declaration } from "../../model/declaration.ts";

/** The declarations in a directory, and the names of the directory's files. */
export interface Desired extends DeclaredState, FileIds {
  /** The names of all manifest files that were read. */
  readonly names: ReadonlySet<string>;
  /** The names of the unselected manifest files in the directory. */
  readonly others: ReadonlySet<string>;
}

/** The ids of a directory's files. */
export interface FileIds {
  /** The ids that the reading option `idOf` computed, keyed by file name. Empty without this option. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The declarations from all manifests, joined into one for each entity. They are unreliable if the problems include an error. */
export interface DeclaredState {
  readonly state: State;
  /** The entity references in declared values. A plan may add these references to the catalog. */
  readonly references: References;
  /** The original declarations before they are joined: one for each manifest or inline element. */
  readonly declarations: readonly Declaration[];
  /** The rules, which declare values for all matching live assets. */
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
  readonly policies: readonly CatalogPolicy[];
  readonly waivers: readonly Waiver[];
  readonly problems: readonly Problem[];
  /** The number of files that were read. */
  readonly files: number;
  /** The number of manifests in these files. */
  readonly documents: number;
}
