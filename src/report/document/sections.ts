/** Arranges a document's rows in sections, in the order that Markdown, HTML and comments use. */

import { isError } from "../../model/problem.ts";
import type { Row, Section } from "../page.ts";
import type { Document, FindingRow } from "./document.ts";
import { policyChangesHead, settingsHead } from "./notes.ts";

/** A document's sections before and after its changes. A report's sections include the sections of its plan. */
interface Sections {
  readonly before: readonly Section[];
  readonly after: readonly Section[];
}

/** Arranges a document in sections. Some sections may be empty. */
export function sectionsOf(document: Document): Sections {
  const { remarks, outcomes, plan = document } = document;
  const { settings, policyChanges, problems, refusal, findings, checkOf } = plan;
  const { policies, lifted, unknownVerdicts, policyHelp, checked, notes } = plan;
  const [errors, warnings] = parted(problems);
  const [blocking, found] = parted(findings);
  const help = "What these policies are for, and how to waive violations";
  return {
    before: [
      counted("Notes about the apply", remarks),
      counted("Not applied", outcomes),
      { title: settingsHead, rows: settings, rank: 0 },
      { title: policyChangesHead, rows: policyChanges, rank: 0 },
      { ...counted("Errors", errors, 2), lead: refusal },
      counted(checkOf ? "Failed" : "Blocked", blocking.map(withoutVerdict)),
      counted("New violations", policies),
      counted("No longer blocked", lifted),
      counted("Unknown verdicts", unknownVerdicts),
      { title: help, rows: policyHelp, rank: 0 },
      counted("Policies", checked, 5),
    ],
    after: [
      counted("Non-blocking findings", found),
      counted("Warnings", warnings, 6),
      counted("Notes", notes),
    ],
  };
}

function counted(title: string, rows: readonly Row[], rank = 0): Section {
  return { title, rows, number: rows.reduce((sum, { of = 1 }) => sum + of, 0), rank };
}

function parted<Some extends { readonly severity: "error" | "warning" }>(
  rows: readonly Some[],
): readonly [errors: readonly Some[], others: readonly Some[]] {
  return [rows.filter(isError), rows.filter((row) => !isError(row))];
}

/** Removes the first word of a finding, because the section title already contains it. */
function withoutVerdict(finding: FindingRow): Row {
  return { ...finding, text: finding.text.replace(/^(?:Blocked|Failed): /, "") };
}
