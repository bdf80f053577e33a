import type { Plan } from "../model/plan.ts";
import type { Report } from "../model/report.ts";
import { countDrift } from "./drift.ts";
import { countOutcomes } from "./text/report-text.ts";

/** What is measured of a run. What a run did not come to is absent. */
export interface Measured {
  readonly command: string;
  readonly exitCode: number;
  readonly seconds: number;
  readonly endedAt: Date;
  readonly plan?: Plan;
  readonly report?: Report;
  /** Requests to the server, and how many of them were sent again. */
  readonly traffic?: { readonly requests: number; readonly retries: number };
}

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly (readonly [labels: Labels, value: number])[];
}

/**
 * A run in the text format of Prometheus (version 0.0.4), ready for the textfile collector of node exporter and for a push
 * gateway. All metrics are gauges, because each run begins anew. Each sample has the label `command`, and `target` where
 * the run came to a plan.
 */
export function metricsText(measured: Measured): string {
  const { command, plan } = measured;
  const common = { command, ...(plan && { target: plan.target }) };
  return metricsOf(measured)
    .filter(({ samples }) => samples.length > 0)
    .map((each) => metricText(each, common))
    .join("");
}

function metricsOf({
  command,
  exitCode,
  seconds,
  endedAt,
  plan,
  report,
  traffic,
}: Measured): readonly Metric[] {
  return [
    metric("exit_code", "Exit code of the last run.", [[{}, exitCode]]),
    metric("duration_seconds", "Duration of the last run in seconds.", [[{}, seconds]]),
    metric("end_timestamp_seconds", "Unix time of the end of the last run.", [
      [{}, endedAt.getTime() / 1000],
    ]),
    ...(plan ? metricsOfPlan(plan, command === "drift") : []),
    metric(
      "outcomes",
      "Operations of the apply, by outcome.",
      report ? samplesOf("status", countOutcomes(report.outcomes)) : [],
    ),
    metric("requests", "Requests to the server, retries included.", traffic ? [[{}, traffic.requests]] : []),
    metric("retries", "Requests that were sent again.", traffic ? [[{}, traffic.retries]] : []),
  ];
}

function metricsOfPlan({ summary, changes, problems = [] }: Plan, isDrift: boolean): readonly Metric[] {
  const { create, update, delete: deleted, unchanged, additions, replacements, removals } = summary;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return [
    metric(
      "entities",
      "Declared entities, by action of the plan.",
      samplesOf("action", { create, update, delete: deleted, unchanged }),
    ),
    metric(
      "values",
      "Values that the plan changes, by action.",
      samplesOf("action", { add: additions, replace: replacements, remove: removals }),
    ),
    metric("unmanaged", "Live values and entities that are not managed.", [[{}, summary.unmanaged]]),
    metric("conflicts", "Changes that a conflict holds back.", [[{}, summary.conflicts]]),
    metric("blocked", "Changes that a guard blocks.", [[{}, summary.blocked]]),
    metric("problems", "Problems of severity error.", [[{}, errors]]),
    metric("drift", "Changes by class of drift.", isDrift ? samplesOf("class", countDrift(changes)) : []),
  ];
}

function metric(name: string, help: string, samples: Metric["samples"]): Metric {
  return { name: `datahub_gitops_${name}`, help, samples };
}

function samplesOf(label: string, counts: Readonly<Record<string, number>>): Metric["samples"] {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count]);
}

function metricText({ name, help, samples }: Metric, common: Labels): string {
  const lines = samples.map(([labels, value]) => `${name}${labelsText({ ...common, ...labels })} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ""].join("\n");
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `{${pairs.join(",")}}`;
}

// As the format wants it in label values.
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
