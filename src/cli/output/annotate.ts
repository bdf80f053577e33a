/** Prints annotations for GitHub Actions. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Annotation, annotationText } from "../../report/github/annotation-text.ts";
import type { Io } from "../io.ts";

/**
 * Prints annotations to stderr in GitHub Actions. `before` contains the annotations that the step has already printed, which
 * count toward GitHub's limit.
 */
export function annotate(
  annotations: readonly Annotation[],
  io: Io,
  before: readonly Annotation[] = [],
): void {
  if (io.env["GITHUB_ACTIONS"] !== "true") return;
  io.stderr.write(annotationText(annotations, (file) => inWorkspace(file, io), before));
}

/** Prints a command's error message as an annotation. */
export function annotateFailure(message: string, io: Io): void {
  annotate([{ level: "error", title: "datahub-gitops", message }], io);
}

/**
 * Returns the path relative to the repository root, as GitHub expects. The path of a file outside the repository is unchanged.
 */
function inWorkspace(file: string, { cwd, env }: Io): string {
  const workspace = env["GITHUB_WORKSPACE"] ?? "";
  if (workspace === "") return file;
  const path = relative(workspace, resolve(cwd, file));
  const isOutside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? file : path.replaceAll(sep, "/");
}
