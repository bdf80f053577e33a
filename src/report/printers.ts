import type { Explanation } from "../model/explanation.ts";
import { printGitlab } from "./checks/gitlab.ts";
import { printJunit } from "./checks/junit.ts";
import { printSarif } from "./checks/sarif.ts";
import type { Result, View } from "./document/document.ts";
import type { ExplanationFormat, Format } from "./format.ts";
import { printExplanationJson, printJson } from "./json/json.ts";
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
  sarif: printSarif,
  junit: printJunit,
  gitlab: printGitlab,
};

/** The printer of explanations of each of their formats. */
export const explanationPrinters: Readonly<Record<ExplanationFormat, Printer<Explanation>>> = {
  text: printExplanation,
  json: printExplanationJson,
};
