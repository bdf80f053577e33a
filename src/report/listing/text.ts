/** Prints lists and coverage counts as text. */

import { listedColumns } from "../../facets/index.ts";
import type { ListedEntity } from "../../model/listing.ts";
import type { Names } from "../../model/plan.ts";
import { isUrn, plainKeyOf } from "../../model/urn.ts";
import { isDeclaredOf, valuesIn } from "../../plan/listing/filter.ts";
import { countedText } from "../count.ts";
import { plainNameOf } from "../document/values.ts";
import { printable, printableLine } from "../printable.ts";
import { paintWith } from "../text/paint.ts";
import {
  differenceText,
  coverageLine,
  groupName,
  type CoveragePrinter,
  listLine,
  type ListPrinter,
  type ListView,
  policyLines,
  sharesText,
  comparisonLines,
} from "./document.ts";

/** Prints a list as text: each URN with its values below it, and a summary line. */
export function printListText(view: ListView): ListPrinter {
  const { color = false } = view;
  const paint = paintWith(color);
  return {
    head: () => "",
    entity: (entity, names) =>
      `${paint("bold", entity.kind)} ${printable(placeText(entity))}\n${detailsText(entity, names)}`,
    end: (end) => `${end.entities > 0 ? "\n" : ""}${listLine(end, view)}\n`,
  };
}

function placeText({ urn, column }: ListedEntity): string {
  return column === undefined ? urn : `${urn} ${column}`;
}

function detailsText(entity: ListedEntity, names: Names): string {
  const { urn, name, facets } = entity;
  const values = listedColumns.flatMap((facet) => {
    const found = valuesIn(facets.get(facet.name));
    const texts = found.map((value) =>
      facet.format(value, (text) => (isUrn(text) ? plainNameOf(text, names) : text)),
    );
    return texts.length > 0 ? [`${facet.name}: ${texts.join(", ")}`] : [];
  });
  const details = [
    ...(plainKeyOf(urn).includes(name) ? [] : [`name: ${name}`]),
    ...values,
    ...(entity.violates.length > 0 ? [`violates: ${entity.violates.join(", ")}`] : []),
    isDeclaredOf(entity) ? "declared" : "not declared",
  ];
  return `  ${printable(details.join("; "))}\n`;
}

/** Prints counts as text: each group with its percentages, and a summary line. */
export const printCoverageText: CoveragePrinter = (coverage, names, { color = false }) => {
  const { groups, by, difference } = coverage;
  const paint = paintWith(color);
  const lines = groups.map((group, index) => {
    const more = difference?.groups[index];
    const assets = `${countedText(group.assets, "asset")}${differenceText(more?.assets)}`;
    return `${paint("bold", groupName(group.key, by, names))}  ${assets}\n  ${sharesText(group, more)}\n`;
  });
  const verdicts = policyLines(coverage).map((line) => `${printableLine(line)}\n`);
  const parts = [lines, verdicts].filter((part) => part.length > 0).map((part) => `${part.join("")}\n`);
  const ending = [...comparisonLines(coverage), coverageLine(coverage)].map((line) => `${line}\n`);
  return [...parts, ...ending].join("");
};
