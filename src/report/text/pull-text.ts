/** Prints the summary of a pull, and the changes that it could not write into manifests. */

import { columnOf } from "../../facets/places.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { canonicalJson } from "../../model/json.ts";
import { count } from "../count.ts";

/** The wording for each reason why a change is not pulled. */
const reasons = {
  "not-in-catalog": "it is not in the catalog; create it with apply, or remove its manifest",
  "not-declarable": "a manifest cannot express this; restore it with apply, or remove its manifest",
  alias: "the value is repeated with an alias (`*`); edit it by hand",
  "merge-key": "the value comes from a merge key (`<<`); edit it by hand",
  absent: "the field is no longer in any manifest",
  layout: "the value cannot be changed without changing another value; edit it by hand",
  invalid: "a manifest cannot express the catalog's value",
} as const;

/** The reason why a change is not pulled. `ruled` means that rules declare the value. */
type WhyLeft = keyof typeof reasons | "ruled";

/** A change that is not pulled. `rules` lists the rules that declare the value, if that is the reason. */
interface Left {
  readonly change: Change;
  readonly why: WhyLeft;
  readonly rules?: readonly string[];
}

/**
 * The maximum number of changes to list separately if they concern the same field, and the same rules declare their values. If
 * there are more, they share a sentence.
 */
const maxListedSingly = 5;

/** Writes sentences about changes that are not pulled. */
export function notPulledTexts(left: readonly Left[]): readonly string[] {
  return [...groupBy(left, placeOfRules).values()].flatMap((group) => {
    const [first] = group;
    const isGrouped = first?.why === "ruled" && group.length > maxListedSingly;
    return isGrouped ? [leftText(first, group.length - 1)] : group.map((each) => leftText(each));
  });
}

function placeOfRules({ change, why, rules }: Left): string {
  return why === "ruled" ? canonicalJson({ rules, source: change.source, facet: change.facet }) : why;
}

function leftText({ change, why, rules = [] }: Left, others = 0): string {
  const { source, urn, kind } = change;
  const at = source ? `${source.file}:${source.line}:${source.column}: ` : "";
  const named = columnOf(change);
  const column = named === undefined ? "" : ` of column ${named}`;
  const what = isFacetChange(change) && why !== "not-in-catalog" ? `: ${change.facet}${column}` : "";
  const more = others > 0 ? `, and ${others} more like it` : "";
  const reason = why === "ruled" ? ruledText(rules) : reasons[why];
  return `${at}not pulled: ${kind} ${urn}${what}${more}: ${reason}`;
}

/** States which rules declare a value, and how to change the value. */
function ruledText(rules: readonly string[]): string {
  const rule = rules.length === 1 ? "rule" : "rules";
  const named = rules.map((id) => `\`${id}\``).join(", ");
  return `declared by ${rule} ${named}; edit the ${rule}, or add \`exempt: [${rules.join(", ")}]\` to a manifest for the asset`;
}

/** The counts for a pull. */
export interface PullCounts {
  readonly changes: number;
  readonly files: number;
  readonly left: number;
  readonly isDryRun: boolean;
}

/** Summarizes a pull in one line. */
export function pullSummary({ changes, files, left, isDryRun }: PullCounts): string {
  const done = `${count(changes, "change")} ${isDryRun ? "to pull" : "pulled"} into ${count(files, "file")}.`;
  const parts = [...(files > 0 ? [done] : []), ...(left > 0 ? [`${count(left, "change")} not pulled.`] : [])];
  return parts.length > 0 ? parts.join(" ") : "Nothing to pull.";
}
