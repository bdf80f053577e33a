import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { addedTo, type Edit, type NewValue, type Path, removedFrom } from "./edit.ts";
import { contentOf, type ManifestText } from "./manifest-text.ts";

/** What a text is to say after some edits, manifest by manifest. */
export function intendedBy({ manifests }: ManifestText, edits: readonly Edit[]): readonly Json[] {
  const contents = manifests.map(contentOf);
  // Places in lists are those before anything is taken out of the list.
  for (const { manifest, path, value } of edits.toSorted((a, b) => b.path.length - a.path.length)) {
    const [content, written] = [contents[manifest], manifests[manifest]?.value];
    if (content !== undefined && written !== undefined)
      contents[manifest] = withValue(content, written, path, value) ?? null;
  }
  return contents;
}

/** Content in which a place holds something else. `written` is the same, with the elements of lists as they are written. */
function withValue(content: Json, written: Json | undefined, path: Path, value: NewValue): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return newContent(content, written, value);
  if (isJsonList(content)) {
    const list = isJsonList(written) ? written : [];
    return content.map((element, index) =>
      index === step ? (withValue(element, list[index], rest, value) ?? null) : element,
    );
  }
  if (!isJsonObject(content)) return content;
  const fields = isJsonObject(written) ? written : {};
  const entries = Object.entries(content).flatMap(([key, field]) => {
    const next = key === step ? withValue(field ?? null, fields[key], rest, value) : field;
    return next === undefined ? [] : [[key, next] as const];
  });
  return Object.fromEntries(entries);
}

function newContent(content: Json, written: Json | undefined, value: NewValue): Json | undefined {
  if (value.type === "gone") return undefined;
  if (value.type === "scalar") return value.value;
  if (!isJsonList(content) || !isJsonList(written)) return content;
  const removed = removedFrom(written, value);
  return [...content.filter((_, index) => !removed.has(index)), ...addedTo(written, value)];
}
