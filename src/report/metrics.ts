/** Prints a command's metrics in Prometheus text format. */

import type { Plan } from "../model/plan.ts";
import { isError } from "../model/problem.ts";
import type { Report } from "../model/report.ts";
import { countDrift, countOutcomes } from "./document/notes.ts";

/** Facts about the execution of a command. A field is absent if the command ended before the field's value was known. */
export interface Measured {
  readonly command: string;
  readonly exitCode: number;
  readonly seconds: number;
  readonly endedAt: Date;
  readonly plan?: Plan;
  readonly report?: Report;
  /** The id of the stored run. */
  readonly run?: string;
  /** The number of requests to the server, and how many of them were retries. */
  readonly traffic?: { readonly requests: number; readonly retries: number };
}

/** A metric's value, or its values keyed by label. */
type Samples = number | Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A metric, without the prefix of its name. If there are no samples, it is not printed. */
type Metric = readonly [name: string, help: string, samples: Samples | undefined];

/**
 * Prints a command's metrics (text format 0.0.4), for node exporter's textfile collector or a push gateway. All metrics are
 * gauges, because each execution starts at zero. Each sample has the label `command`. If the command created a plan, each sample
 * also has the label `target`.
 */
export function metricsText(measured: Measured): string {
  const { command, exitCode, seconds, endedAt, plan, report, traffic } = measured;
  const common = { command, ...(plan && { target: plan.target }) };
  const metrics: readonly Metric[] = [
    ["exit_code", "Exit code of the last command.", exitCode],
    ["duration_seconds", "Duration of the last command in seconds.", seconds],
    ["end_timestamp_seconds", "Unix time when the last command ended.", endedAt.getTime() / 1000],
    ...(plan ? planMetrics(plan, command === "drift") : []),
    [
      "outcomes",
      "Operations in the apply, by outcome.",
      report && { status: countOutcomes(report.outcomes) },
    ],
    ["requests", "Requests to the server, including retries.", traffic?.requests],
    ["retries", "Retries of requests to the server.", traffic?.retries],
  ];
  return metricTexts("gauge", metrics, common);
}

/** Prints metrics with their samples and the labels that all samples have in common. */
export function metricTexts(
  type: "gauge" | "counter",
  metrics: readonly Metric[],
  common: Readonly<Record<string, string>> = {},
): string {
  return metrics
    .map(([name, help, samples]) => {
      const lines = linesOf(`datahub_gitops_${name}`, samples, common);
      if (lines.length === 0) return "";
      const heads = [`# HELP datahub_gitops_${name} ${help}`, `# TYPE datahub_gitops_${name} ${type}`];
      return [...heads, ...lines, ""].join("\n");
    })
    .join("");
}

function planMetrics({ summary, changes, problems = [] }: Plan, isDrift: boolean): readonly Metric[] {
  const { create, update, delete: deleted, unchanged, additions, replacements, removals } = summary;
  const entities = { create, update, delete: deleted, unchanged };
  const values = { add: additions, replace: replacements, remove: removals };
  const errors = problems.filter(isError).length;
  return [
    ["entities", "Declared entities, by planned action.", { action: entities }],
    ["values", "Values that the plan changes, by action.", { action: values }],
    ["unmanaged", "Unmanaged live values and entities.", summary.unmanaged],
    ["conflicts", "Changes that are held back by a conflict.", summary.conflicts],
    ["blocked", "Changes that are blocked by a guard.", summary.blocked],
    ["problems", "Problems with severity error.", errors],
    ["drift", "Changes, by drift class.", isDrift ? { class: countDrift(changes) } : undefined],
  ];
}

function linesOf(
  name: string,
  samples: Samples | undefined,
  common: Readonly<Record<string, string>>,
): readonly string[] {
  if (samples === undefined) return [];
  if (typeof samples === "number") return [`${name}${labelsText(common)} ${samples}`];
  return Object.entries(samples).flatMap(([label, counts]) =>
    Object.entries(counts).map(
      ([value, number]) => `${name}${labelsText({ ...common, [label]: value })} ${number}`,
    ),
  );
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

// Escapes a label value for the Prometheus text format.
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
