import { expect, test } from "vitest";
import { metricsText } from "../../src/report/metrics.ts";

const run = { command: "apply", exitCode: 1, seconds: 1.5, endedAt: new Date(1_700_000_000_500) };

test("a run that came to nothing still says how it ended, how long it took, and when", () => {
  expect(metricsText(run)).toBe(`# HELP datahub_gitops_exit_code Exit code of the last command.
# TYPE datahub_gitops_exit_code gauge
datahub_gitops_exit_code{command="apply"} 1
# HELP datahub_gitops_duration_seconds Duration of the last command in seconds.
# TYPE datahub_gitops_duration_seconds gauge
datahub_gitops_duration_seconds{command="apply"} 1.5
# HELP datahub_gitops_end_timestamp_seconds Unix time when the last command ended.
# TYPE datahub_gitops_end_timestamp_seconds gauge
datahub_gitops_end_timestamp_seconds{command="apply"} 1700000000.5
`);
});

test("label values are escaped as the format wants it", () => {
  const text = metricsText({ ...run, command: 'a"b\\c\nd' });
  expect(text).toContain('{command="a\\"b\\\\c\\nd"}');
});
