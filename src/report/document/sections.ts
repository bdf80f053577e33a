/** Arranges the rows of a document in sections, in the order in which Markdown, HTML and comments show them. */

import { isError } from "../../model/problem.ts";
import type { Row, Section } from "../page.ts";
import type { Document, FindingRow } from "./document.ts";
import { policyChangesHead, settingsHead } from "./notes.ts";

/** The sections before the changes of a document, and those after them. Those of a report include those of its plan. */
interface Sections {
  readonly before: readonly Section[];
  readonly after: readonly Section[];
}

/** The sections of a document. Some may be empty. */
export function sectionsOf(document: Document): Sections {
  const { remarks, outcomes, plan = document } = document;
  const { settings, policyChanges, problems, refusal, findings, checkOf } = plan;
  const { policies, lifted, unknownVerdicts, policyHelp, checked, notes } = plan;
  const [errors, warnings] = parted(problems);
  const [blocking, found] = parted(findings);
  const help = "What these policies are for, and how to waive them";
  return {
    before: [
      counted("Notes on the apply", remarks),
      counted("Not applied", outcomes),
      { title: settingsHead, rows: settings, rank: 0 },
      { title: policyChangesHead, rows: policyChanges, rank: 0 },
      { ...counted("Errors", errors, 2), lead: refusal },
      counted(checkOf ? "Failed" : "Blocked", blocking.map(withoutVerdict)),
      counted("New violations", policies),
      counted("No longer stopped", lifted),
      counted("Unknown verdicts", unknownVerdicts),
      { title: help, rows: policyHelp, rank: 0 },
      counted("Policies", checked, 5),
    ],
    after: [
      counted("Findings that do not block", found),
      counted("Warnings", warnings, 6),
      counted("Notes", notes),
    ],
  };
}

function counted(title: string, rows: readonly Row[], rank = 0): Section {
  return { title, rows, number: numberIn(rows), rank };
}

/** The number of things that rows show. */
function numberIn(rows: readonly { readonly of?: number }[]): number {
  return rows.reduce((sum, { of = 1 }) => sum + of, 0);
}

function parted<Some extends { readonly severity: "error" | "warning" }>(
  rows: readonly Some[],
): readonly [errors: readonly Some[], others: readonly Some[]] {
  return [rows.filter(isError), rows.filter((row) => !isError(row))];
}

/** A finding without the word that the title says. */
function withoutVerdict(finding: FindingRow): Row {
  return { ...finding, text: finding.text.replace(/^(?:Blocked|Failed): /, "") };
}
