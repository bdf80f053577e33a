/** Defines the edits of manifests, and the reasons to refuse them. */

import type { Place } from "../../model/place.ts";
import type { FacetValue, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { DisplayNames } from "./display-name-comment.ts";

/** The value that the manifests of a file should declare at one place of an entity. */
export interface Edit extends Place {
  readonly urn: Urn;
  readonly value: NewValue;
  /** The live value of the facet, if a plain name in a manifest may be the key of another value. */
  readonly live?: FacetValue | undefined;
}

/** The new value of a place. */
export type NewValue =
  /** A single value; `null` is written as `none`. */
  | { readonly type: "scalar"; readonly value: Scalar }
  /** Added and removed elements. The other elements keep their position and form. */
  | { readonly type: "elements"; readonly add: readonly Member[]; readonly remove: readonly Member[] }
  /** No value: removes the key, and each key above it that becomes empty. */
  | { readonly type: "undeclared" };

/** The reason to refuse an edit. */
export type EditFault =
  /** The value repeats an anchor (`*x`). */
  | "alias"
  /** The value comes from another mapping (`<<`). */
  | "merge-key"
  /** The file does not declare the place. */
  | "absent"
  /** The surrounding text does not allow a change of this value alone. */
  | "layout"
  /** A manifest cannot declare the value. */
  | "invalid";

/** A refused edit with its reason. */
export interface RefusedEdit {
  readonly edit: Edit;
  readonly fault: EditFault;
}

/** Options that decide which mappings of a file are edited. */
export interface EditOptions {
  /**
   * Whether to edit only the first manifest of an entity, even if it does not declare the place yet; otherwise every mapping that
   * declares the place.
   */
  readonly isDeclared?: boolean;
  /** The edits of places that an earlier file declares. The edits of places in this file are added. */
  readonly found?: Set<Edit>;
  /** The display names. A comment that shows the name of a changed value is updated. */
  readonly names?: DisplayNames;
}
