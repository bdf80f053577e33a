import { compareText } from "../../model/json.ts";
import type { Rule } from "../../model/rule.ts";

/** The order of rules: that of their ids. */
export function byId(a: Rule, b: Rule): number {
  return compareText(a.id, b.id);
}
