/** Prints the counts for policies. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { numberText } from "../count.ts";
import type { Document } from "../document/document.ts";
import { printable } from "../printable.ts";
import { barOf, barTable } from "./bars.ts";
import { html, type Markup } from "./markup.ts";
import { headings, titled } from "./section.ts";

const columns: readonly (readonly [string, (policy: PolicyCount) => number])[] = [
  ["Passing", ({ passes }) => passes],
  ["Matched", ({ matched }) => matched],
  ["Introduced", ({ introduced }) => introduced.length],
  ["Fixed", ({ fixed }) => fixed.length],
  ["Existing", ({ existing }) => existing],
  ["Waived", ({ waived }) => waived],
  ["Unknown", ({ unknown }) => unknown],
];

/** Prints a table with each policy's counts. */
export function policiesPart({ policyTotals, judged }: Document): Markup {
  if (policyTotals === "" && judged.length === 0) return html``;
  const totals = policyTotals === "" ? "" : html`<p>${policyTotals}</p>`;
  const counts = barTable({
    caption: "Results by policy",
    first: "Policy",
    columns: headings(columns.map(([name]) => name)),
    rows: judged.map((policy) => ({
      name: printable(policy.id),
      bar: barOf(partsOf(policy), Math.max(1, policy.matched)),
      cells: columns.map(([, of]) => numberText(of(policy))),
    })),
  });
  return titled("Policies", judged.length, totals, counts);
}

/** Returns a bar's segments in the order of its colors: passed, waived or unknown, violated. */
function partsOf({ passes, introduced, existing, waived, unknown }: PolicyCount): readonly number[] {
  return [passes, waived + unknown, introduced.length + existing];
}
