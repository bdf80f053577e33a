// Lints the workflows, the action, and the examples for other systems. Prints what it finds, and then ends with 1.
import { lintCron } from "./lint/cron.mjs";
import { lintGithub } from "./lint/github.mjs";
import { lintGitlab } from "./lint/gitlab.mjs";
import { lintHelm } from "./lint/helm.mjs";
import { lintJenkins } from "./lint/jenkins.mjs";
import { lintKubernetes } from "./lint/kubernetes.mjs";

const findings = [
  ...(await lintGithub()),
  ...lintGitlab(),
  ...lintJenkins(),
  ...lintCron(),
  ...lintKubernetes(),
  ...lintHelm(),
];
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
