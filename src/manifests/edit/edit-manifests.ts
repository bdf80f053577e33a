import { appendTo } from "../../model/append.ts";
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
  // Places in lists are those before anything is taken out of the list.
  const sorted = edits.toSorted((a, b) => b.path.length - a.path.length);
  const result = edited(whole, sorted);
  if (result.text === whole.text) return { ...result, text };
  const end = isOpen && result.text.endsWith(eol) ? -eol.length : undefined;
  return { ...result, text: bom + result.text.slice(0, end) };
}

/** All edits at once; where the text would not say what they ask for, one half after the other, down to the one to blame. */
function edited(whole: NamedText, edits: readonly Edit[]): EditedText {
  const { name, text } = whole;
  const before = manifestTextOf(name, text);
  if (!before) return { text, refused: edits.map((edit) => ({ edit, fault: "layout" })) };
  const all = together(before, edits);
  if ("text" in all) return all;
  const [first] = edits;
  if (first && edits.length === 1) return { text, refused: [{ edit: first, fault: all.fault }] };
  const half = Math.ceil(edits.length / 2);
  const left = edited(whole, edits.slice(0, half));
  const right = edited({ name, text: left.text }, edits.slice(half));
  return { text: right.text, refused: [...left.refused, ...right.refused] };
}

/** The text after all edits but those that find no place; or why it would not say what they ask for. */
function together(before: ManifestText, edits: readonly Edit[]): EditedText | { readonly fault: EditFault } {
  const { file: name, text } = before.source;
  const refused: RefusedEdit[] = [];
  const made: Edit[] = [];
  const splices: Splice[] = [];
  for (const edit of edits) {
    const found = splicesFor(before, edit);
    if (typeof found === "string") refused.push({ edit, fault: found });
    else {
      made.push(edit);
      appendTo(splices, found);
    }
  }
  if (splices.length === 0) return { text, refused };
  const next = spliced(text, splices);
  const fault = faultIn({ name, text: next }, intendedBy(before, made));
  return fault === undefined ? { text: next, refused } : { fault };
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
