import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Annotation, annotationText } from "../../report/annotations.ts";
import type { Io } from "../io.ts";

/**
 * Prints annotations to stderr, where GitHub Actions looks for them; nothing anywhere else. GitHub shows a few of a step:
 * those that the step printed `before` count.
 */
export function annotate(
  annotations: readonly Annotation[],
  io: Io,
  before: readonly Annotation[] = [],
): void {
  if (io.env["GITHUB_ACTIONS"] !== "true") return;
  io.stderr.write(annotationText(annotations, (file) => inWorkspace(file, io), before));
}

/** Prints why a command failed as an annotation. */
export function annotateFailure(message: string, io: Io): void {
  annotate([{ level: "error", title: "datahub-gitops", message }], io);
}

/** A path from the repository's root, which GitHub wants; what lies outside of it keeps its own. */
function inWorkspace(file: string, { cwd, env }: Io): string {
  const workspace = env["GITHUB_WORKSPACE"] ?? "";
  if (workspace === "") return file;
  const path = relative(workspace, resolve(cwd, file));
  const isOutside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? file : path.replaceAll(sep, "/");
}
