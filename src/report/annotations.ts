import type { Origin } from "../model/origin.ts";
import type { Plan } from "../model/plan.ts";
import type { Outcome, Report } from "../model/report.ts";
import type { Annotation } from "./annotation-text.ts";
import { printable } from "./printable.ts";
import { findingText } from "./text/finding-text.ts";
import { sourcePlace } from "./text/change-text.ts";
import { isOfWholeFile, sentenceOf } from "./problems.ts";
import { leftText, unprovedText } from "./text/report-text.ts";
import { workText } from "./text/work-text.ts";
import { paintWith } from "./paint.ts";

/** The annotations of a plan: its problems and findings. */
export function annotationsOf({
  problems = [],
  findings,
  names,
}: Pick<Plan, "findings" | "problems" | "names">): readonly Annotation[] {
  return [
    ...problems.map((problem): Annotation => {
      const { severity: level, code: title, origin, related } = problem;
      const at = isOfWholeFile(problem) ? undefined : origin;
      const place = { ...(origin && { file: origin.file }), ...(at && { at }) };
      const other = related ? ` (see also ${sourcePlace(related)})` : "";
      return { level, title, message: sentenceOf(problem, names) + other, ...place };
    }),
    ...findings.map((finding): Annotation => {
      const message = findingText(finding, paintWith(false)).trimEnd();
      return { level: finding.severity, title: `guard ${finding.guard}`, message };
    }),
  ];
}

/**
 * The annotations of operations that failed or were stale, of references that are left to what was deleted, and of a result
 * that could not be read back. What only an earlier
 * commit declared has no line.
 */
export function failureAnnotations({
  plan,
  outcomes,
  unproved,
  referencesLeft = [],
}: Omit<Report, "plan"> & Partial<Pick<Report, "plan">>): readonly Annotation[] {
  const notes =
    unproved === undefined
      ? []
      : [{ level: "error", title: "verify", message: unprovedText(unproved) } as const];
  const left = referencesLeft.map((each): Annotation => {
    return { level: "warning", title: "references left", message: leftText(each, plan?.names) };
  });
  return [...notes, ...left, ...outcomes.flatMap(annotationsOfOutcome)];
}

function annotationsOfOutcome(outcome: Outcome): readonly Annotation[] {
  if (outcome.status !== "failed" && outcome.status !== "stale") return [];
  const [change] = outcome.operation.changes;
  const { urn, source } = change ?? {};
  const place = source && !source.base ? placeOf(source) : undefined;
  const isStale = outcome.status === "stale";
  const reason = isStale ? outcome.because : outcome.error;
  const message = printable(`${outcome.status} for \`${urn}\`: ${reason}`);
  const level = isStale ? "warning" : "error";
  return [{ level, title: workText(outcome.operation), message, ...place }];
}

function placeOf({ file, line, column }: Origin): Pick<Annotation, "file" | "at"> {
  return { file, at: { line, column } };
}
