/** Defines edits of manifests, and the reasons to refuse them. */

import type { Place } from "../../model/place.ts";
import type { FacetValue, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { DisplayNames } from "./display-name-comment.ts";

/** The value that a file's manifests should declare for one field of an entity. */
export interface Edit extends Place {
  readonly urn: Urn;
  readonly value: NewValue;
  /** The facet's live value, if a plain name in a manifest may be another value's key. */
  readonly live?: FacetValue | undefined;
}

/** The new value for a field. */
export type NewValue =
  /** A single value; `null` is written as `none`. */
  | { readonly type: "scalar"; readonly value: Scalar }
  /** Added and removed elements. All other elements keep their position and notation. */
  | { readonly type: "elements"; readonly add: readonly Member[]; readonly remove: readonly Member[] }
  /** No value: removes the key, and each parent key that becomes empty. */
  | { readonly type: "undeclared" };

/** The reason to refuse an edit. */
export type EditFault =
  /** The value repeats an anchor (`*x`). */
  | "alias"
  /** The value comes from another mapping (`<<`). */
  | "merge-key"
  /** The file does not declare the field. */
  | "absent"
  /** The surrounding text does not allow changing this value alone. */
  | "layout"
  /** A manifest cannot declare the value. */
  | "invalid";

/** A refused edit and its reason. */
export interface RefusedEdit {
  readonly edit: Edit;
  readonly fault: EditFault;
}

/** Options that decide which mappings in a file are edited. */
export interface EditOptions {
  /**
   * Whether to edit only an entity's first manifest, even if it does not declare the field yet; otherwise, every mapping that
   * declares the field is edited.
   */
  readonly isDeclared?: boolean;
  /** The edits whose fields an earlier file declares. Edits that this file declares are added. */
  readonly found?: Set<Edit>;
  /** The display names. A comment that shows a changed value's name is updated. */
  readonly names?: DisplayNames;
}
