/** Prints a result as a GitLab Code Quality report. */

import type { Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { fingerprintsOf, issuesOf } from "../document/issues.ts";
import { jsonPieces } from "../json/pieces.ts";

const severities = { error: "critical", warning: "minor" } as const;

/** Prints an entry for each issue. Every entry has a file and a line, because GitLab rejects entries without them. */
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
