import { expect } from "vitest";
import type { Writer } from "../../src/datahub/client.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Report } from "../../src/model/report.ts";
import { mergePlans as merge } from "../../src/plan/merge.ts";
import type { MergeFault } from "../../src/plan/merge-fault.ts";
import { withLimits as judge } from "../../src/plan/plan.ts";
import { makePlan as make } from "../support/make-plan.ts";
import { plan as planOver } from "../../src/workflow/plan.ts";
import { parseSaved } from "../../src/report/saved/saved-report.ts";
import { printed } from "../report/print.ts";
import { apply as applyOver } from "../../src/workflow/apply.ts";

// Laws make plans and reports with these functions, so that each is also saved and read back as `show` reads it.

/** `makePlan` of the product; the plan can be saved and read back. */
export function makePlan(...about: Parameters<typeof make>): Plan {
  return readBack(make(...about));
}

/** `withLimits` of the product; the plan can be saved and read back. */
export function withLimits(...about: Parameters<typeof judge>): Plan {
  return readBack(judge(...about));
}

/** `mergePlans` of the product; the plan can be saved and read back. */
export function mergePlans(plans: readonly Plan[]): { readonly plan: Plan } | MergeFault {
  const merged = merge(plans);
  if (!("fault" in merged)) readBack(merged.plan);
  return merged;
}

/** `plan` of the product; the plan can be saved and read back. */
export async function plan(...about: Parameters<typeof planOver>): Promise<Plan> {
  return readBack(await planOver(...about));
}

/** `apply` of the product; the report can be saved and read back. */
export async function apply(planned: Plan, writer: Writer): Promise<Report> {
  const report = await applyOver(planned, writer);
  const read = parseSaved(printed({ report }, "json"));
  if (!("report" in read)) throw new Error(`a report that cannot be read: ${JSON.stringify(read)}`);
  expect(textOf(read.report.plan)).toBe(textOf(report.plan));
  expect(read.report.outcomes.map(({ status }) => status)).toEqual(
    report.outcomes.map(({ status }) => status),
  );
  return report;
}

/** The plan in a text that a command printed as JSON; throws where it cannot be read back. */
export function savedPlanIn(text: string): Plan {
  const read = parseSaved(text);
  if (!("plan" in read)) throw new Error(`a plan that cannot be read: ${JSON.stringify(read)}`);
  return read.plan;
}

function readBack(made: Plan): Plan {
  const text = textOf(made);
  expect(textOf(savedPlanIn(text))).toBe(text);
  return made;
}

function textOf(made: Plan): string {
  return printed({ plan: made }, "json");
}
