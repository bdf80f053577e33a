import { isFields, isSameValue, type Member, type Scalar } from "../model/state.ts";

/** Whether two texts of prose, or two values with such texts, differ in line ends and trailing blanks only. */
export function isAlike(one: Member | Scalar, other: Member | Scalar): boolean {
  return isSameValue(normalProse(one), normalProse(other));
}

/** A value with its texts as all that are alike have them. */
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
