import type { Finding } from "../../model/plan.ts";
import { printable } from "../printable.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";

type Numbers = Finding["numbers"];

/** What a guard found, and how to allow it. Ends in a line break. */
export function findingText(finding: Finding, paint: Paint): string {
  const { guard, numbers, flag, setting } = finding;
  if (guard === "missing") return missingText(finding);
  const found = foundBy[guard](numbers, finding.facet ?? "");
  const rest = `by guard \`${guard}\`: ${found}. To allow it, use ${flag} or change \`${setting}\` in the settings.`;
  return `${paint("error", "Blocked")} ${printable(rest)}\n`;
}

function missingText({ numbers, flag }: Finding): string {
  const parts = Object.entries(numbers).map(([what, number]) => count(number, what.replace(/s$/, "")));
  return `${printable(`Skipped because not in the catalog: ${parts.join(", ")}. To refuse the plan instead, use ${flag}.`)}\n`;
}

const foundBy: Readonly<
  Record<Exclude<Finding["guard"], "missing">, (numbers: Numbers, facet: string) => string>
> = {
  removals: (numbers, facet) => {
    const { removals = 0, existing = 0 } = numbers;
    const part = `${removals} of ${count(existing, "live value")} of \`${facet}\` would be removed`;
    return `${part} (${limitIn(numbers)})`;
  },
  deletes: ({ deletes = 0, max_count }) =>
    `${count(deletes, "entity", "entities")} would be deleted (limit: ${max_count})`,
  vanished: (numbers) => {
    const { vanished = 0, declared = 0 } = numbers;
    return `${vanished} of ${count(declared, "entity", "entities")} declared in the base ${vanished === 1 ? "is" : "are"} no longer declared (${limitIn(numbers)})`;
  },
};

function limitIn({ percent, max_percent, max_count }: Numbers): string {
  return max_percent === undefined ? `limit: ${max_count}` : `${percent}%, limit: ${max_percent}%`;
}
