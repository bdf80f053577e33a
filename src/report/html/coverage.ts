/** Prints coverage counts as an HTML page without a script. */

import type { Coverage, CoverageCounts, CoverageGroup } from "../../model/listing.ts";
import type { Names } from "../../model/plan.ts";
import { numberText } from "../count.ts";
import { type Fact, timeText } from "../document/facts.ts";
import { pageOf } from "../document/entity-page.ts";
import {
  differenceText,
  coverageLine,
  type CoveragePrinter,
  comparedPolicy,
  groupName,
  percentText,
  sharesOf,
} from "../listing/document.ts";
import { printable } from "../printable.ts";
import { barOf, barTable } from "./bars.ts";
import { headerOf } from "./header.ts";
import { html, type Markup } from "./markup.ts";
import { headings, leftText, maxRows, table, titled } from "./section.ts";
import { end, headOf } from "./shell.ts";

/** Prints counts as a page: for all assets, for each policy, and for each group. */
export const printCoverageHtml: CoveragePrinter = (coverage, names, { links }) => {
  const { target, createdAt, by, groups, difference } = coverage;
  const title = printable(`Coverage of ${target}`);
  const verdict = coverageLine(coverage);
  const facts: readonly Fact[] = [
    ["Server", target],
    ["Grouped by", by],
    ["Created", timeText(createdAt)],
    ...(difference ? [["Compared with", timeText(difference.since)] as const] : []),
  ];
  return [
    headOf(`${title}: ${verdict}`),
    headerOf({ title, verdict, facts }).text,
    "<main>",
    html`<div id="content"></div>
      ${groups.length === 0 ? "" : totalPart(coverage)} ${policiesPart(coverage)}
      ${groupsPart(coverage, names, links)}`.text,
    "</main>",
    html`<footer>
      ${difference ? html`<p>Numbers in parentheses show the change since ${timeText(difference.since)}.</p>` : ""}
      <p>
        To list the datasets without a domain:
        <code>datahub-gitops list --kind Dataset --missing domain</code>
      </p>
      ${groups.length > maxRows ? html`<p>All groups: <code>datahub-gitops coverage --format csv</code></p>` : ""}
    </footer>`.text,
    end,
  ].join("\n");
};

function totalPart({ total, difference }: Coverage): Markup {
  const more = changesIn(difference?.total);
  const rows = sharesOf(total).map(([name, number]) => ({
    name,
    bar: barOf([number], total.assets),
    cells: [percentText(number, total.assets), `${numberText(number)}${differenceText(more.get(name))}`],
  }));
  return titled(
    "All assets",
    `${numberText(total.assets)}${differenceText(difference?.total.assets)}`,
    barTable({ caption: "Assets with values", first: "Value", columns: headings(["Share", "Assets"]), rows }),
  );
}

/** Returns the difference from the earlier count for each facet. */
function changesIn(difference: CoverageCounts | undefined): ReadonlyMap<string, number> {
  return new Map(difference && sharesOf(difference));
}

function policiesPart({ policies, difference }: Coverage): Markup {
  if (policies.length === 0) return html``;
  const rows = policies.map((policy) => {
    const { matched, passes } = policy;
    const { name, more } = comparedPolicy(policy, difference);
    return {
      name: printable(name),
      bar: barOf([passes], Math.max(1, matched)),
      cells: [
        matched === 0 ? "–" : percentText(passes, matched),
        `${numberText(passes)}${differenceText(more?.passes)}`,
        `${numberText(matched)}${differenceText(more?.matched)}`,
      ],
    };
  });
  return titled(
    "Policies",
    numberText(policies.length),
    barTable({
      caption: "Policies",
      first: "Policy",
      columns: headings(["Share", "Passing", "Matched"]),
      rows,
    }),
  );
}

function groupsPart(
  { groups, by, total, difference }: Coverage,
  names: Names,
  links: string | undefined,
): Markup {
  if (groups.length === 0) return html``;
  const columns = [
    by.charAt(0).toUpperCase() + by.slice(1),
    "Assets",
    ...sharesOf(total).map(([name]) => name),
  ];
  const rows = groups
    .slice(0, maxRows)
    .map((group, index) => groupRow(group, difference?.groups[index], { by, names, links }));
  return titled(
    `By ${by}`,
    numberText(groups.length),
    table({ label: `By ${by}`, head: headings(columns), rows, kind: "shares" }),
    leftText(groups.length - maxRows, "p"),
  );
}

interface Naming {
  readonly by: string;
  readonly names: Names;
  readonly links: string | undefined;
}

function groupRow(
  group: CoverageGroup,
  difference: CoverageCounts | undefined,
  { by, names, links }: Naming,
): Markup {
  const { key, assets } = group;
  const more = changesIn(difference);
  const label = html`<bdi>${groupName(key, by, names)}</bdi>`;
  const page = pageOf(key, links);
  const shares = sharesOf(group).map(
    ([name, number]) =>
      html`<td class="number">
        ${percentText(number, assets)}${differenceText(more.get(name))} ${barOf([number], assets)}
      </td>`,
  );
  return html`<tr>
    <th scope="row">${page === undefined ? label : html`<a href="${page}">${label}</a>`}</th>
    <td class="number">${numberText(assets)}${differenceText(difference?.assets)}</td>
    ${shares}
  </tr>`;
}
