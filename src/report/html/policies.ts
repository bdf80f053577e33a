/** Prints the sections about policies: violations, unknown verdicts, explanations and numbers. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { numberText } from "../count.ts";
import type { Document, View } from "../document/document.ts";
import type { Row } from "../page.ts";
import { printable } from "../printable.ts";
import { barOf, barTable } from "./bars.ts";
import { html, type Markup } from "./markup.ts";
import { headings, rowItem, section, titled } from "./section.ts";

/** New violations and unknown verdicts, then their policies. A check has the verdicts in its list of entries. */
export function violationsPart(
  { policies, lifted, unknownVerdicts, policyHelp, checkOf }: Document,
  view: View,
): Markup {
  const itemOf = (row: Row): Markup => rowItem(row, view);
  const help = section("What these policies are for, and how to waive them", policyHelp, itemOf);
  if (checkOf) return help;
  return html`${section("New violations", policies, itemOf)} ${section("No longer stopped", lifted, itemOf)}
  ${section("Unknown verdicts", unknownVerdicts, itemOf)} ${help}`;
}

/** The numbers of each policy. */
export function policiesPart({ policyTotals, judged }: Document): Markup {
  if (policyTotals === "" && judged.length === 0) return html``;
  const totals = policyTotals === "" ? "" : html`<p>${policyTotals}</p>`;
  return titled("Policies", numberText(judged.length), totals, tableOf(judged));
}

const columns: readonly (readonly [string, (policy: PolicyCount) => number])[] = [
  ["Pass", ({ passes }) => passes],
  ["Of", ({ matched }) => matched],
  ["Introduced", ({ introduced }) => introduced.length],
  ["Fixed", ({ fixed }) => fixed.length],
  ["Existing", ({ existing }) => existing],
  ["Waived", ({ waived }) => waived],
  ["Unknown", ({ unknown }) => unknown],
];

function tableOf(judged: readonly PolicyCount[]): Markup {
  return barTable({
    caption: "Numbers of policies",
    first: "Policy",
    columns: headings(columns.map(([name]) => name)),
    rows: judged.map((policy) => ({
      name: printable(policy.id),
      bar: barOf(partsOf(policy), Math.max(1, policy.matched)),
      cells: columns.map(([, of]) => numberText(of(policy))),
    })),
  });
}

/** The parts of a bar, in the order of its colors: passed, waived or unknown, violated. */
function partsOf({ passes, introduced, existing, waived, unknown }: PolicyCount): readonly number[] {
  return [passes, waived + unknown, introduced.length + existing];
}
