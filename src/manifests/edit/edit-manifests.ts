import { canonicalJson, isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Edit, EditFault, Path, RefusedEdit } from "./edit.ts";
import { findValue, type Found } from "./find-value.ts";
import { intendedBy } from "./intended.ts";
import { removedKeySplices } from "./key-splices.ts";
import { listSplices } from "./list-splices.ts";
import {
  contentOf,
  isReadable,
  type ManifestText,
  manifestTextOf,
  type WrittenManifest,
} from "./manifest-text.ts";
import { scalarSplices } from "./scalar-splices.ts";
import { lineEndIn, type Splice, spliced } from "./splice.ts";

/** The text of a file, and what it is called in messages. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A text after its edits, and those that were not made. */
export interface EditedText {
  readonly text: string;
  readonly refused: readonly RefusedEdit[];
}

/**
 * The text of a file of manifests after some edits. Only the bytes of the values that change are others: comments, order,
 * quotes and blank lines stay. The new text says exactly what the edits ask for, and is a valid file of manifests: an edit
 * after which it would not is refused, by itself.
 */
export function editManifests({ name, text }: NamedText, edits: readonly Edit[]): EditedText {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const eol = lineEndIn(text);
  const isOpen = text !== "" && !text.endsWith("\n");
  const whole = { name, text: text.slice(bom.length) + (isOpen ? eol : "") };
  const edited = together(whole, edits) ?? oneByOne(whole, edits);
  if (edited.text === whole.text) return { ...edited, text };
  const end = isOpen && edited.text.endsWith(eol) ? -eol.length : undefined;
  return { ...edited, text: bom + edited.text.slice(0, end) };
}

/** All edits at once. `undefined` where the text would not say what they ask for: one of them is to blame. */
function together({ name, text }: NamedText, edits: readonly Edit[]): EditedText | undefined {
  const before = manifestTextOf(name, text);
  if (!before) return undefined;
  const found = edits.map((edit) => ({ edit, splices: splicesFor(before, edit) }));
  const refused = found.flatMap(({ edit, splices: fault }) =>
    typeof fault === "string" ? [{ edit, fault }] : [],
  );
  const splices = found.flatMap((each) => (typeof each.splices === "string" ? [] : each.splices));
  if (splices.length === 0) return { text, refused };
  const made = found.flatMap(({ edit, splices: of }) => (typeof of === "string" ? [] : [edit]));
  const next = { name, text: spliced(text, splices) };
  return faultIn(next, intendedBy(before, made)) === undefined ? { text: next.text, refused } : undefined;
}

/** Each edit by itself, those of elements before those of their lists. */
function oneByOne({ name, text }: NamedText, edits: readonly Edit[]): EditedText {
  let current = text;
  const refused: RefusedEdit[] = [];
  for (const edit of edits.toSorted((a, b) => b.path.length - a.path.length)) {
    const next = editedBy({ name, text: current }, edit);
    if ("fault" in next) refused.push({ edit, fault: next.fault });
    else current = next.text;
  }
  return { text: current, refused };
}

function editedBy(
  { name, text }: NamedText,
  edit: Edit,
): { readonly text: string } | { readonly fault: EditFault } {
  const before = manifestTextOf(name, text);
  if (!before) return { fault: "layout" };
  const splices = splicesFor(before, edit);
  if (typeof splices === "string") return { fault: splices };
  const next = spliced(text, splices);
  const fault = faultIn({ name, text: next }, intendedBy(before, [edit]));
  return fault === undefined ? { text: next } : { fault };
}

function faultIn({ name, text }: NamedText, intended: readonly Json[]): EditFault | undefined {
  const after = manifestTextOf(name, text);
  if (!after || canonicalJson(after.manifests.map(contentOf)) !== canonicalJson(intended)) return "layout";
  return isReadable(after) ? undefined : "invalid";
}

function splicesFor({ source, manifests }: ManifestText, edit: Edit): readonly Splice[] | EditFault {
  const manifest = manifests[edit.manifest];
  if (!manifest) return "absent";
  const found = findValue(manifest.node, edit.path);
  if (typeof found === "string") return found;
  return splicesAt(source.text, found, manifest, edit) ?? "layout";
}

function splicesAt(
  text: string,
  found: Found,
  { value: whole }: WrittenManifest,
  { path, value }: Edit,
): readonly Splice[] | undefined {
  if (value.type === "gone") return removedKeySplices(text, found);
  if (value.type === "scalar") return scalarSplices(text, found, value.value);
  const list = valueAt(whole, path);
  return isJsonList(list) ? listSplices(text, found, list, value) : undefined;
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isJsonList(current) && typeof step === "number") current = current[step];
    else current = isJsonObject(current) ? current[step] : undefined;
  }
  return current;
}
