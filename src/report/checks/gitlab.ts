/** Prints a result as a report of GitLab's Code Quality. */

import type { Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { fingerprintsOf, issuesOf } from "../document/issues.ts";
import { jsonPieces } from "../json/pieces.ts";

const severities = { error: "critical", warning: "minor" } as const;

/** A report with an entry for each issue. GitLab refuses entries without a file and a line, so each has both. */
export function printGitlab(result: Result, view: View): Iterable<string> {
  const issues = issuesOf(documentOf(result, view));
  const fingerprints = fingerprintsOf(issues);
  return jsonPieces(
    issues.map(({ code, level, message, file = "", at }, index) => ({
      description: message,
      check_name: code,
      fingerprint: fingerprints[index],
      severity: severities[level],
      location: {
        path: file.replace(/^(?:\.\/+)+/, "") || ".",
        lines: { begin: at?.line ?? 1 },
      },
    })),
  );
}
