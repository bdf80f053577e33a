import type { Finding } from "../../model/plan.ts";
import { guardText } from "../../plan/checks/guards/index.ts";
import { printable } from "../excerpt.ts";
import { count, type Paint } from "../symbols.ts";

/** What a guard found, and how to allow it. Ends in a line break. */
export function findingText(finding: Finding, paint: Paint): string {
  const { guard, flag, setting } = finding;
  const found = guardText(finding);
  if (found === undefined) return missingText(finding);
  const rest = `by the guard \`${guard}\`: ${found}. To allow it: ${flag}, or \`${setting}\` in the settings.`;
  return `${paint("error", "Blocked")} ${printable(rest)}\n`;
}

function missingText({ numbers, flag }: Finding): string {
  const parts = Object.entries(numbers).map(([what, number]) => count(number, what.replace(/s$/, "")));
  return `${printable(`Left out, because they are not in the catalog: ${parts.join(", ")} (${flag} refuses them).`)}\n`;
}
