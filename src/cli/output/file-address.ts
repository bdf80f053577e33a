/** Builds links to file lines on GitHub or GitLab. */

import { relative, resolve, sep } from "node:path";
import type { Io } from "../io.ts";

/** Returns a file line's address in a commit. `undefined` outside GitHub and GitLab, or if the file is outside the repository. */
export function fileAddress(
  { file, line }: { readonly file: string; readonly line?: number },
  commit: string | null | undefined,
  { env, cwd }: Io,
): string | undefined {
  const repository = repositoryIn(env);
  if (!repository || !commit || !/^https?:\/\//.test(repository.blobs)) return undefined;
  // A saved plan can name any file, even one whose name cannot be encoded in an address.
  if (/\p{Surrogate}/u.test(file)) return undefined;
  const parts = relative(repository.root || cwd, resolve(cwd, file)).split(sep);
  if (parts[0] === ".." || parts[0] === "") return undefined;
  const path = parts.map(encodeURIComponent).join("/");
  return `${repository.blobs}/${commit}/${path}${line === undefined ? "" : `#L${line}`}`;
}

/** Returns the files' base address and the repository's directory, from GitHub's or GitLab's variables. */
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
