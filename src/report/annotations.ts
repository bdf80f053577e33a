import { type Change, isFacetChange } from "../model/change.ts";
import type { Origin } from "../model/origin.ts";
import type { Plan } from "../model/plan.ts";
import type { Outcome, Report } from "../model/report.ts";
import { printable } from "./printable.ts";
import { findingText } from "./text/finding-text.ts";
import { isOfWholeFile, sentenceOf } from "./problems.ts";
import { nameOfOperation, unprovedText } from "./text/report-text.ts";
import { count } from "./count.ts";
import { paintWith } from "./paint.ts";

/** A message that GitHub Actions shows at a line of a pull request, or without a line in the summary of the run. */
export interface Annotation {
  readonly level: "error" | "warning";
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly at?: Pick<Origin, "line" | "column">;
}

/** GitHub shows at most this many errors and this many warnings of a step, and drops the rest. */
const mostOfALevel = 10;

/** The annotations of a plan: its problems and findings. */
export function annotationsOf({
  problems = [],
  findings,
  names,
}: Pick<Plan, "findings" | "problems" | "names">): readonly Annotation[] {
  return [
    ...problems.map((problem): Annotation => {
      const { severity: level, code: title, origin } = problem;
      const at = isOfWholeFile(problem) ? undefined : origin;
      const place = { ...(origin && { file: origin.file }), ...(at && { at }) };
      return { level, title, message: sentenceOf(problem, names), ...place };
    }),
    ...findings.map((finding): Annotation => {
      const message = findingText(finding, paintWith(false)).trimEnd();
      return { level: finding.severity, title: `guard ${finding.guard}`, message };
    }),
  ];
}

/**
 * The annotations of operations that failed or were stale, and of a result that could not be read back. What a prune takes
 * away has no line, because it was declared in an earlier commit.
 */
export function failureAnnotations({
  outcomes,
  unproved,
}: Pick<Report, "outcomes" | "unproved">): readonly Annotation[] {
  const notes =
    unproved === undefined
      ? []
      : [{ level: "error", title: "verify", message: unprovedText(unproved) } as const];
  return [...notes, ...outcomes.flatMap(annotationsOfOutcome)];
}

function annotationsOfOutcome(outcome: Outcome): readonly Annotation[] {
  if (outcome.status !== "failed" && outcome.status !== "stale") return [];
  const [change] = outcome.operation.changes;
  const { urn, source } = change ?? {};
  const place = source && !isInBase(change) ? placeOf(source) : undefined;
  const isStale = outcome.status === "stale";
  const reason = isStale ? outcome.because : outcome.error;
  const message = printable(`${outcome.status} for \`${urn}\`: ${reason}`);
  const level = isStale ? "warning" : "error";
  return [{ level, title: nameOfOperation(outcome.operation), message, ...place }];
}

function placeOf({ file, line, column }: Origin): Pick<Annotation, "file" | "at"> {
  return { file, at: { line, column } };
}

/**
 * Annotations as workflow commands, one per line, errors first. Annotations that were printed `before` count towards the
 * limit. `fileOf` makes a path relative to the repository.
 */
export function annotationText(
  annotations: readonly Annotation[],
  fileOf: (file: string) => string,
  before: readonly Annotation[] = [],
): string {
  return (["error", "warning"] as const)
    .flatMap((level) => {
      const isOfLevel = (each: Annotation): boolean => each.level === level;
      return withinLimit(annotations.filter(isOfLevel), mostOfALevel - before.filter(isOfLevel).length);
    })
    .map((annotation) => `${commandOf(annotation, fileOf)}\n`)
    .join("");
}

function withinLimit(annotations: readonly Annotation[], most: number): readonly Annotation[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= most) return annotations;
  if (most <= 0) return [];
  const shown = annotations.slice(0, most - 1);
  const message = `… and ${count(annotations.length - shown.length, `more ${first.level}`)}, see the log of this step`;
  return [...shown, { level: first.level, title: "more", message }];
}

function commandOf(
  { level, title, message, file, at }: Annotation,
  fileOf: (file: string) => string,
): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(fileOf(file))}`]),
    ...(at ? [`line=${at.line}`, `col=${at.column}`] : []),
    `title=${property(title)}`,
  ];
  return `::${level} ${properties.join(",")}::${data(message)}`;
}

function data(text: string): string {
  const lines = text.replaceAll(/[^\r\n]+/g, (line) => printable(line));
  return lines.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function isInBase(change: Change | undefined): boolean {
  if (!change) return false;
  return isFacetChange(change) ? change.pruned === true : change.action === "delete";
}
