/** Defines manifest edits, and the reasons for refusing them. */

import type { Place } from "../../model/place.ts";
import type { FacetValue, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { DisplayNames } from "./display-name-comment.ts";

/** The value that a file's manifests should declare for one field of an entity. */
export interface Edit extends Place {
  readonly urn: Urn;
  readonly value: NewValue;
  /** The facet's live value. Required if a plain column name in a manifest might be the exact key of a different column. */
  readonly live?: FacetValue | undefined;
}

/** The new value for a field. */
export type NewValue =
  /** A single value; `null` is written as `none`. */
  | { readonly type: "scalar"; readonly value: Scalar }
  /** Elements to add and to remove. All other elements keep their position and notation. */
  | { readonly type: "elements"; readonly add: readonly Member[]; readonly remove: readonly Member[] }
  /** No value: removes the key, and each parent key that becomes empty. */
  | { readonly type: "undeclared" };

/** The reason for refusing an edit. */
export type EditFault =
  /** The value is an alias for an anchor (`*x`). */
  | "alias"
  /** The value is merged from a different mapping (`<<`). */
  | "merge-key"
  /** The file does not declare the field. */
  | "absent"
  /** The value cannot be changed without changing the surrounding text. */
  | "layout"
  /** A manifest cannot declare the value. */
  | "invalid";

/** A refused edit, and the reason for refusing it. */
export interface RefusedEdit {
  readonly edit: Edit;
  readonly fault: EditFault;
}

/** Options that determine which mappings in a file are edited. */
export interface EditOptions {
  /**
   * Whether to edit only an entity's first manifest, even if that manifest does not declare the field yet. Otherwise, every
   * mapping that declares the field is edited.
   */
  readonly isDeclared?: boolean;
  /** The edits whose fields are declared in earlier files. Edits whose fields are declared in this file are added to the set. */
  readonly found?: Set<Edit>;
  /** The display names of entities, used to update a comment that shows the name of a changed value. */
  readonly names?: DisplayNames;
}
