import type { Origin } from "../../model/origin.ts";
import { offsetOf, type Path } from "../schema/schema-path.ts";
import type { Checked } from "../schema/schema-problems.ts";
import { originIn } from "../yaml/parsed-document.ts";

/** The place of the value at the end of a path in the settings, or of its key. */
export function originAt(checked: Checked, path: Path, onKey = false): Origin {
  return originIn(checked.document, offsetOf(checked, path, onKey));
}
