/** Prints a result as SARIF 2.1.0, for GitHub code scanning and editors. */

import type { Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { fingerprintsOf, type Issue, issuesOf } from "../document/issues.ts";
import { jsonPieces } from "../json/pieces.ts";

/** Prints a SARIF log with a result for each issue. */
export function printSarif(result: Result, view: View): Iterable<string> {
  const document = documentOf(result, view);
  const issues = issuesOf(document);
  const fingerprints = fingerprintsOf(issues);
  const codes = [...new Set(issues.map(({ code }) => code))];
  return jsonPieces({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: driverOf(document, codes) },
        columnKind: "utf16CodeUnits",
        ...automationOf(document),
        invocations: [{ executionSuccessful: isComplete(document, issues) }],
        results: issues.map((issue, index) => ({
          ...resultOf(issue, codes),
          partialFingerprints: { "datahubGitops/v1": fingerprints[index] },
        })),
        properties: { verdict: document.verdict, ...(document.about && { summary: document.about.summary }) },
      },
    ],
  });
}

/**
 * Whether the result is complete. With policies, it is complete if no verdict is unknown. Without policies, it is complete if
 * there is a plan or there are no errors.
 */
function isComplete({ about, judged, plan }: Document, issues: readonly Issue[]): boolean {
  const policies = plan?.judged ?? judged;
  if (policies.some(({ unknown }) => unknown > 0)) return false;
  if (policies.length > 0) return true;
  return about !== undefined || issues.every(({ level }) => level === "warning");
}

function driverOf({ about }: Document, codes: readonly string[]): object {
  const [name = "", version] = (about?.tool ?? "datahub-gitops").split("/");
  return {
    name,
    ...(version !== undefined && { version }),
    rules: codes.map((id) => ({ id, shortDescription: { text: id.replaceAll("-", " ") } })),
  };
}

/**
 * Returns the category of the SARIF run. Each environment has its own category, so its results do not replace those of a
 * different environment.
 */
function automationOf({ about }: Document): object {
  const environment = about?.scope?.environment;
  return environment === undefined
    ? {}
    : { automationDetails: { id: `datahub-gitops/${fileUri(environment)}/` } };
}

function resultOf({ code, level, message, help = [], file, at }: Issue, codes: readonly string[]): object {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: [message, ...help].join("\n") },
    // Code scanning rejects results without a location.
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file === undefined ? "." : fileUri(file) },
          ...(at && { region: { startLine: at.line, startColumn: at.column } }),
        },
      },
    ],
  };
}

/** Returns a file's path, relative to the working directory, as a URI reference in ASCII. */
function fileUri(file: string): string {
  const path = encodeURI(file.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
  // Without `./`, a colon in the first segment would look like the end of a scheme (RFC 3986, 4.2).
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}
