import type { Place } from "../../model/place.ts";
import type { FacetValue, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { DisplayNames } from "./display-name-comment.ts";

/** What the manifests of a file are to declare at one place of an entity. */
export interface Edit extends Place {
  readonly urn: Urn;
  readonly value: NewValue;
  /** What is live of the facet, where a plain name in a manifest may be the key of something else. */
  readonly live?: FacetValue | undefined;
}

/** What a place becomes. */
export type NewValue =
  /** Gets a single value; `null` is written as `none`. */
  | { readonly type: "scalar"; readonly value: Scalar }
  /** Gains and loses elements. Those that stay keep their place and form. */
  | { readonly type: "elements"; readonly add: readonly Member[]; readonly remove: readonly Member[] }
  /** Its key goes, and each key above that has nothing else below it. */
  | { readonly type: "undeclared" };

/** Why an edit is refused. */
export type EditFault =
  /** The value is repeated from an anchor (`*x`). */
  | "alias"
  /** The value comes from another mapping (`<<`). */
  | "merge-key"
  /** The file does not declare the place. */
  | "absent"
  /** The text around it does not let it be changed alone. */
  | "layout"
  /** A manifest cannot declare it. */
  | "invalid";

/** An edit that was not made. */
export interface RefusedEdit {
  readonly edit: Edit;
  readonly fault: EditFault;
}

/** Which mappings of a file are edited. */
export interface EditOptions {
  /** Edits only the first manifest of an entity, which then declares the place; else every mapping that declares it. */
  readonly isDeclared?: boolean;
  /** The edits whose place a file before this one declares. Those of this one are added. */
  readonly found?: Set<Edit>;
  /** A comment that shows the name of a single value is replaced with it. */
  readonly names?: DisplayNames;
}
