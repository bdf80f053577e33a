import { hasEditorHeader } from "../../model/schema-head.ts";
import { identityFields } from "../declaration.ts";
import { declaredPlaces } from "../edit/declared-places.ts";
import type { NamedText } from "../edit/edit-manifests.ts";
import { manifestTextOf } from "../edit/manifest-text.ts";
import { commentsIn } from "../format/comments.ts";

/** Whether a text only names one entity: it declares nothing of it, and has no comment but the line for editors. */
export function isBare({ name, text }: NamedText): boolean {
  const manifests = manifestTextOf(name, text);
  const [place, ...others] = manifests ? declaredPlaces(manifests) : [];
  if (!place || others.length > 0) return false;
  const fields = Object.keys(place.fields);
  return (
    fields.every((field) => field === "kind" || identityFields.has(field)) &&
    commentsIn(text).every(hasEditorHeader)
  );
}
