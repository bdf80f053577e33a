/** Lists the printers for each format and kind of result. */

import type { Explanation } from "../model/explanation.ts";
import { printGitlab } from "./checks/gitlab.ts";
import { printJunit } from "./checks/junit.ts";
import { printSarif } from "./checks/sarif.ts";
import type { Result, View } from "./document/document.ts";
import type { CoverageFormat, ExplanationFormat, Format, ListFormat } from "./format.ts";
import { printCoverageHtml } from "./html/coverage.ts";
import { printHtml } from "./html/html.ts";
import { printExplanationJson, printJson } from "./json/json.ts";
import { printCoverageCsv, printListCsv } from "./listing/csv.ts";
import { type DiagnosisPrinter, printDiagnosisJson, printDiagnosisText } from "./listing/diagnosis.ts";
import type { CoveragePrinter, ListPrinter, ListView } from "./listing/document.ts";
import { printCoverageJson, printListJson } from "./listing/json.ts";
import { printCoverageMarkdown, printListMarkdown } from "./listing/markdown.ts";
import { printRunsJson, printRunsText, type RunsPrinter } from "./listing/runs.ts";
import { printRoundJson, printRoundText, type RoundPrinter } from "./listing/rounds.ts";
import { printCoverageText, printListText } from "./listing/text.ts";
import { printMarkdown } from "./markdown/markdown.ts";
import { printExplanation } from "./text/explanation.ts";
import { printText } from "./text/text.ts";

/** Prints a result in pieces, because the text of a large plan does not fit into one string. */
export type Printer<Of = Result> = (result: Of, view: View) => Iterable<string>;

/** The printers for plans, drift, reports, checks, problems and failures. */
export const printers: Readonly<Record<Format, Printer>> = {
  text: printText,
  json: printJson,
  markdown: printMarkdown,
  html: printHtml,
  sarif: printSarif,
  junit: printJunit,
  gitlab: printGitlab,
};

/** The printers for explanations. */
export const explanationPrinters: Readonly<Record<ExplanationFormat, Printer<Explanation>>> = {
  text: printExplanation,
  json: printExplanationJson,
};

/** The printers for entity lists. A printer has state, so each list needs a new printer. */
export const listPrinters: Readonly<Record<ListFormat, (view: ListView) => ListPrinter>> = {
  text: printListText,
  csv: printListCsv,
  json: printListJson,
  markdown: printListMarkdown,
};

/** The printers for coverage counts. */
export const coveragePrinters: Readonly<Record<CoverageFormat, CoveragePrinter>> = {
  text: printCoverageText,
  csv: printCoverageCsv,
  json: printCoverageJson,
  markdown: printCoverageMarkdown,
  html: printCoverageHtml,
};

/** The printers for stored runs. */
export const runsPrinters: Readonly<Record<ExplanationFormat, RunsPrinter>> = {
  text: printRunsText,
  json: printRunsJson,
};

/** The printers for `watch` rounds. */
export const roundPrinters: Readonly<Record<ExplanationFormat, RoundPrinter>> = {
  text: printRoundText,
  json: printRoundJson,
};

/** The printers for setup diagnoses. */
export const diagnosisPrinters: Readonly<Record<ExplanationFormat, DiagnosisPrinter>> = {
  text: printDiagnosisText,
  json: printDiagnosisJson,
};
