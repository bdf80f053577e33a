import type { Finding } from "../../model/plan.ts";
import { guardText } from "../../plan/checks/guards/index.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";

/** What a guard found, and how to allow it. Ends in a line break. */
export function findingText(finding: Finding, paint: Paint): string {
  const { flag, setting } = finding;
  const found = guardText(finding);
  if (found === undefined) return missingText(finding);
  const rest = `${found}. To allow it, use ${flag} or change \`${setting}\` in the settings.`;
  return `${paint("error", "Blocked:")} ${printable(rest)}\n`;
}

function missingText({ numbers, flag }: Finding): string {
  const parts = Object.entries(numbers).map(([what, number]) => count(number, what.replace(/s$/, "")));
  return `${printable(`Skipped because not in the catalog: ${parts.join(", ")}. To refuse the plan instead, use ${flag}.`)}\n`;
}
