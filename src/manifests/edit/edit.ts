import type { Json } from "../../model/json.ts";

/** What a place of a manifest is to hold. */
export type NewValue =
  /** A single value; `null` is written as `none`. */
  | { readonly type: "scalar"; readonly value: string | number | boolean | null }
  /** The key goes, with its value. */
  | { readonly type: "gone" }
  | ListEdit;

/** Elements that a list gains and loses, each as a manifest writes it. Those that stay keep their place and form. */
export interface ListEdit {
  readonly type: "list";
  readonly add: readonly Json[];
  readonly remove: readonly Json[];
  /** The text by which two written elements are the same; `undefined` for what is no element. */
  readonly keyOf: (written: Json) => string | undefined;
}

/** The way to a value: the keys of mappings, and the places in lists, from 0. */
export type Path = readonly (string | number)[];

/** A change of one value in a file of manifests. */
export interface Edit {
  /** Which manifest of the file, from 0: elements of a document that is a list count each. */
  readonly manifest: number;
  /** The way to the key of the value. */
  readonly path: Path;
  readonly value: NewValue;
}

/** Why an edit is refused. */
export type EditFault =
  /** The value is repeated from an anchor (`*x`). */
  | "alias"
  /** The value comes from another mapping (`<<`). */
  | "merge-key"
  /** The file has no such key. */
  | "absent"
  /** The text around it does not let it be changed alone. */
  | "layout"
  /** A manifest cannot say it. */
  | "invalid";

/** An edit that was not made. */
export interface RefusedEdit {
  readonly edit: Edit;
  readonly fault: EditFault;
}

/** The places in a list of the elements that an edit removes. */
export function removedFrom(list: readonly Json[], { remove, keyOf }: ListEdit): ReadonlySet<number> {
  const keys = new Set(remove.map(keyOf));
  return new Set(list.flatMap((element, index) => (isAmong(keys, keyOf(element)) ? [index] : [])));
}

/** The elements that an edit adds and that are not in the list yet. */
export function addedTo(list: readonly Json[], { add, keyOf }: ListEdit): readonly Json[] {
  const keys = new Set(list.map(keyOf));
  return add.filter((element) => !isAmong(keys, keyOf(element)));
}

function isAmong(keys: ReadonlySet<string | undefined>, key: string | undefined): boolean {
  return key !== undefined && keys.has(key);
}
