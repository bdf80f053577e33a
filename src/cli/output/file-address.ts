/** Builds links to file lines on GitHub or GitLab. */

import { relative, resolve, sep } from "node:path";
import type { Io } from "../io.ts";

/**
 * Returns the URL of a file line in a commit. Returns `undefined` outside of GitHub and GitLab CI, and for files outside the
 * repository.
 */
export function fileAddress(
  { file, line }: { readonly file: string; readonly line?: number },
  commit: string | null | undefined,
  { env, cwd }: Io,
): string | undefined {
  const repository = repositoryIn(env);
  if (!repository || !commit || !/^https?:\/\//.test(repository.blobs)) return undefined;
  // A saved plan can refer to any file, even one whose name cannot be encoded in a URL.
  if (/\p{Surrogate}/u.test(file)) return undefined;
  const parts = relative(repository.root || cwd, resolve(cwd, file)).split(sep);
  if (parts[0] === ".." || parts[0] === "") return undefined;
  const path = parts.map(encodeURIComponent).join("/");
  return `${repository.blobs}/${commit}/${path}${line === undefined ? "" : `#L${line}`}`;
}

/** Returns the base URL for files and the repository's root directory, based on the variables of GitHub or GitLab. */
function repositoryIn({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_WORKSPACE: workspace,
  CI_PROJECT_URL: project,
  CI_PROJECT_DIR: directory,
}: Io["env"]): { readonly blobs: string; readonly root: string | undefined } | undefined {
  if (server && repository) return { blobs: `${server}/${repository}/blob`, root: workspace };
  return project ? { blobs: `${project}/-/blob`, root: directory } : undefined;
}
