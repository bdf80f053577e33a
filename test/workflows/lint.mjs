// Lints the workflows and the action. Prints what it finds, and then ends with 1.
import { lintGithub } from "./lint/github.mjs";

const findings = await lintGithub();
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
