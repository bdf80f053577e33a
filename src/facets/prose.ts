/** Compares prose, ignoring line endings and trailing whitespace. */

import { isFields, isSameValue, type Member, type Scalar } from "../model/state.ts";

/** Whether two texts, or two values that contain texts, differ only in line endings and trailing whitespace. */
export function isSameProse(one: Member | Scalar, other: Member | Scalar): boolean {
  return isSameValue(normalProse(one), normalProse(other));
}

/** Normalizes line endings and removes trailing whitespace in a value. */
export function normalProse(value: Member | Scalar): Member | Scalar {
  if (typeof value === "string") return bare(value);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(
    ([field, part]) => [field, typeof part === "string" ? bare(part) : part] as const,
  );
  return Object.fromEntries(fields);
}

function bare(text: string): string {
  return text.replaceAll(/[ \t]*(?:\r\n?|\n)/g, "\n").trimEnd();
}
