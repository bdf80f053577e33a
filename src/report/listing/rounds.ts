/** Prints a `watch` round. */

import type { Round } from "../../model/round.ts";
import { printableLine } from "../printable.ts";

/** Prints a round on one line. */
export type RoundPrinter = (round: Round) => string;

/** The exit code of an interrupted round. */
const interrupted = 130;

/** Prints a round as a line of text. */
export const printRoundText: RoundPrinter = ({ round, at, exitCode, differs, applied, held, run, error }) => {
  const rest = [...(applied > 0 ? [`${applied} applied`] : []), ...(held > 0 ? [`${held} held back`] : [])];
  const isInterrupted = exitCode === interrupted;
  // After a failed or interrupted round, the number of differences may be unknown.
  const isKnown = (error === undefined && !isInterrupted) || differs > 0;
  const counts = [...(isKnown ? [`${differs} ${differs === 1 ? "differs" : "differ"}`] : []), ...rest];
  const facts = [
    `round ${round}`,
    at,
    `exit ${exitCode}`,
    ...(counts.length > 0 ? [counts.join(", ")] : isInterrupted ? ["interrupted"] : []),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(error === undefined ? [] : [error.message]),
  ];
  return `${printableLine(facts.join("  "))}\n`;
};

/** Prints a round as a line of JSON. */
export const printRoundJson: RoundPrinter = (round) =>
  `${JSON.stringify({ formatVersion: "1", ...round })}\n`;
