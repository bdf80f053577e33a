import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = "examples/gitlab/.gitlab-ci.yml";
const program = fileURLToPath(import.meta.resolve("gitlab-ci-local"));

/** The pipeline by gitlab-ci-local: GitLab's JSON Schema, and that what jobs need and extend is there. */
export function lintGitlab() {
  // It looks at the repository that it is called in: one of its own, with nothing but the pipeline.
  const cwd = mkdtempSync(join(tmpdir(), "datahub-gitops-lint-"));
  const run = (command, ...args) => execFileSync(command, args, { cwd, stdio: "pipe" });
  try {
    copyFileSync(file, join(cwd, ".gitlab-ci.yml"));
    run("git", "init", "--quiet");
    run("git", "remote", "add", "origin", "https://gitlab.example.com/acme/catalog.git");
    run(process.execPath, program, "--list", "--no-evaluate-rule-changes");
    return [];
  } catch (error) {
    return [`${file}: ${error.stderr ?? error.message}`];
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
