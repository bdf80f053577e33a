/** Asks the questions of `init`, and repeats each question until the answer is valid. */

import { endpointOf } from "../../datahub/endpoint.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";

/** The parsed answer, or the reason why the answer is not valid. */
type Parsed<T> = { readonly value: T } | { readonly fault: string };

interface Question<T> {
  readonly text: string;
  /** The default answer. Without a default, an answer is required. */
  readonly fallback: string | undefined;
  readonly parse: (answer: string) => Parsed<T>;
}

/**
 * Asks for the URL of the server. Throws `UsageError` if there is no answer and no default. If interrupted, throws the reason.
 */
export function askServer(io: Io): Promise<string> {
  const known = io.env["DATAHUB_GMS_URL"]?.trim() ?? "";
  const fallback = "value" in addressIn(known) ? known : undefined;
  return ask({ text: "URL of the DataHub server", fallback, parse: addressIn }, io);
}

/** Asks for a directory. An empty answer selects `fallback`. If interrupted, throws the reason. */
export function askDirectory(fallback: string, io: Io): Promise<string> {
  return ask({ text: "Directory for the manifests", fallback, parse: (value) => ({ value }) }, io);
}

/** Asks for one of the choices. An empty answer selects `fallback`. If interrupted, throws the reason. */
export function askChoice<T extends string>(
  text: string,
  { choices, fallback }: { readonly choices: readonly T[]; readonly fallback: T },
  io: Io,
): Promise<T> {
  const parse = (answer: string): Parsed<T> => {
    const value = choices.find((choice) => choice === answer.toLowerCase());
    return value === undefined ? { fault: `Use one of: ${choices.join(", ")}.` } : { value };
  };
  return ask({ text, fallback, parse }, io);
}

/** Asks a yes-or-no question. An empty answer selects `fallback`. If interrupted, throws the reason. */
export function askWhether(text: string, fallback: boolean, io: Io): Promise<boolean> {
  return ask({ text, fallback: fallback ? "yes" : "no", parse: yesOrNo }, io);
}

function addressIn(answer: string): Parsed<string> {
  const endpoint = endpointOf(answer);
  return "fault" in endpoint ? endpoint : { value: answer };
}

function yesOrNo(answer: string): Parsed<boolean> {
  if (/^(?:y|yes|n|no)$/i.test(answer)) return { value: /^y/i.test(answer) };
  return { fault: "Answer yes or no." };
}

async function ask<T>({ text, fallback, parse }: Question<T>, io: Io): Promise<T> {
  const prompt = fallback === undefined ? `${text}: ` : `${text} [${fallback}]: `;
  for (;;) {
    const given = (await io.ask(prompt)).trim();
    // The end of input also counts as an empty answer, so repeating the question would never end.
    if (given === "" && fallback === undefined) throw new UsageError("no server given; use --server <url>");
    const answer = parse(given === "" && fallback !== undefined ? fallback : given);
    if ("value" in answer) return answer.value;
    note(answer.fault, io);
  }
}
