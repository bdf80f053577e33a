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

/** Prints a result, in pieces: the text of a large plan is longer than a string can be. */
export type Printer<Of = Result> = (result: Of, view: View) => Iterable<string>;

/** The printer of each format. */
export const printers: Readonly<Record<Format, Printer>> = {
  text: printText,
  json: printJson,
  markdown: printMarkdown,
  html: printHtml,
  sarif: printSarif,
  junit: printJunit,
  gitlab: printGitlab,
};

/** The printer of explanations of each of their formats. */
export const explanationPrinters: Readonly<Record<ExplanationFormat, Printer<Explanation>>> = {
  text: printExplanation,
  json: printExplanationJson,
};

/** Makes the printer of a list of entities of each of their formats: one for each list. */
export const listPrinters: Readonly<Record<ListFormat, (view: ListView) => ListPrinter>> = {
  text: printListText,
  csv: printListCsv,
  json: printListJson,
  markdown: printListMarkdown,
};

/** The printer of counts of each of their formats. */
export const coveragePrinters: Readonly<Record<CoverageFormat, CoveragePrinter>> = {
  text: printCoverageText,
  csv: printCoverageCsv,
  json: printCoverageJson,
  markdown: printCoverageMarkdown,
  html: printCoverageHtml,
};

/** The printer of runs of each of their formats. */
export const runsPrinters: Readonly<Record<ExplanationFormat, RunsPrinter>> = {
  text: printRunsText,
  json: printRunsJson,
};

/** The printer of a round of each of their formats. */
export const roundPrinters: Readonly<Record<ExplanationFormat, RoundPrinter>> = {
  text: printRoundText,
  json: printRoundJson,
};

/** The printer of what a set-up was checked for, of each of their formats. */
export const diagnosisPrinters: Readonly<Record<ExplanationFormat, DiagnosisPrinter>> = {
  text: printDiagnosisText,
  json: printDiagnosisJson,
};
