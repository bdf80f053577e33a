/** Prints annotations as GitHub Actions workflow commands. */

import type { Origin } from "../../model/origin.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";

/**
 * A message that GitHub Actions shows at a line in a pull request. Without a line, the message is shown in the summary of the
 * workflow run.
 */
export interface Annotation {
  readonly level: "error" | "warning";
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly at?: Pick<Origin, "line" | "column">;
}

/** The maximum number of annotations per level that GitHub shows for a step. GitHub drops further annotations. */
const maxPerLevel = 10;

/**
 * Prints annotations as workflow commands, errors first. Annotations in `before` were already printed and count toward the limit.
 * `fileOf` makes paths relative.
 */
export function annotationText(
  annotations: readonly Annotation[],
  fileOf: (file: string) => string,
  before: readonly Annotation[] = [],
): string {
  return (["error", "warning"] as const)
    .flatMap((level) => {
      const isOfLevel = (each: Annotation): boolean => each.level === level;
      return withinLimit(annotations.filter(isOfLevel), maxPerLevel - before.filter(isOfLevel).length);
    })
    .map((annotation) => `${commandOf(annotation, fileOf)}\n`)
    .join("");
}

function withinLimit(annotations: readonly Annotation[], max: number): readonly Annotation[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= max) return annotations;
  if (max <= 0) return [];
  const shown = annotations.slice(0, max - 1);
  const message = `… and ${count(annotations.length - shown.length, `more ${first.level}`)}; see the log of this step`;
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
