/** Prints the sections about policies: violations, unknown verdicts, explanations and numbers. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { numberText } from "../count.ts";
import type { Document, PolicyHelp, PolicyRow, View } from "../document/document.ts";
import { printable } from "../printable.ts";
import { barOf, barTable, headings } from "./bars.ts";
import { html, type Markup } from "./markup.ts";
import { prose } from "./prose.ts";
import { placeOf, section } from "./section.ts";

/** New violations and unknown verdicts, then their policies. A check has the verdicts in its list of entries. */
export function violationsPart(
  { policies, lifted, unknownVerdicts, policyHelp, checkOf }: Document,
  { fileOf }: View,
): Markup {
  const itemOf = ({ severity, text, origin }: PolicyRow): Markup =>
    html`<li class="${severity}">
      ${prose(text)}${origin === undefined ? "" : placeOf(origin, fileOf?.(origin))}
    </li>`;
  const helpOf = ({ text, origin, waiver }: PolicyHelp): Markup =>
    html`<li>
      ${prose(text)}${placeOf(origin, fileOf?.(origin))}
      ${waiver.length === 0 ? "" : html`<pre>${waiver.join("\n")}</pre>`}
    </li>`;
  const help = section("What these policies are for, and how to waive them", policyHelp, helpOf);
  if (checkOf) return help;
  return html`${section("New violations", policies, itemOf)} ${section("No longer stopped", lifted, itemOf)}
  ${section("Unknown verdicts", unknownVerdicts, itemOf)} ${help}`;
}

/** The numbers of each policy. */
export function policiesPart({ policyTotals, judged }: Document): Markup {
  if (policyTotals === "" && judged.length === 0) return html``;
  return html`<section>
    <h2>Policies <span class="count">${numberText(judged.length)}</span></h2>
    ${policyTotals === "" ? "" : html`<p>${policyTotals}</p>`} ${tableOf(judged)}
  </section>`;
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
