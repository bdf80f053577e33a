import type { Round } from "../../model/round.ts";
import { printableLine } from "../printable.ts";

/** Prints a round on a line. */
export type RoundPrinter = (round: Round) => string;

/** A round as a line of text. */
export const printRoundText: RoundPrinter = ({ round, at, exitCode, differs, applied, held, run, error }) => {
  const rest = [...(applied > 0 ? [`${applied} applied`] : []), ...(held > 0 ? [`${held} held back`] : [])];
  const facts = [
    `round ${round}`,
    at,
    `exit ${exitCode}`,
    [`${differs} ${differs === 1 ? "differs" : "differ"}`, ...rest].join(", "),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(error === undefined ? [] : [error.message]),
  ];
  return `${printableLine(facts.join("  "))}\n`;
};

/** A round as a line of JSON. */
export const printRoundJson: RoundPrinter = (round) =>
  `${JSON.stringify({ formatVersion: "1", ...round })}\n`;
