import { endpointOf } from "../../datahub/endpoint.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";

/** What an answer means, or why it means nothing. */
type Meaning<T> = { readonly value: T } | { readonly fault: string };

interface Question<T> {
  readonly text: string;
  /** The meaning of an empty answer; without it an answer is required. */
  readonly usual: string | undefined;
  readonly meaningOf: (answer: string) => Meaning<T>;
}

/** Asks for the address of a server until it is one. Throws `UsageError` where there is none, and when interrupted. */
export function askServer(io: Io): Promise<string> {
  const known = io.env["DATAHUB_GMS_URL"]?.trim() ?? "";
  const usual = "value" in addressIn(known) ? known : undefined;
  return ask({ text: "Address of the DataHub server", usual, meaningOf: addressIn }, io);
}

/** Asks for a directory; an empty answer is `usual`. Throws when interrupted. */
export function askDirectory(usual: string, io: Io): Promise<string> {
  return ask({ text: "Directory of the manifests", usual, meaningOf: (value) => ({ value }) }, io);
}

/** Asks for one of some words until it is one; an empty answer is `usual`. Throws when interrupted. */
export function askChoice<T extends string>(
  text: string,
  { choices, usual }: { readonly choices: readonly T[]; readonly usual: T },
  io: Io,
): Promise<T> {
  const meaningOf = (answer: string): Meaning<T> => {
    const value = choices.find((choice) => choice === answer.toLowerCase());
    return value === undefined ? { fault: `Use one of: ${choices.join(", ")}.` } : { value };
  };
  return ask({ text, usual, meaningOf }, io);
}

/** Asks a question until the answer is yes or no; an empty answer is `usual`. Throws when interrupted. */
export function askWhether(text: string, usual: boolean, io: Io): Promise<boolean> {
  return ask({ text, usual: usual ? "yes" : "no", meaningOf: yesOrNo }, io);
}

function addressIn(answer: string): Meaning<string> {
  const endpoint = endpointOf(answer);
  return "fault" in endpoint ? endpoint : { value: answer };
}

function yesOrNo(answer: string): Meaning<boolean> {
  if (/^(?:y|yes|n|no)$/i.test(answer)) return { value: /^y/i.test(answer) };
  return { fault: "Use yes or no." };
}

async function ask<T>({ text, usual, meaningOf }: Question<T>, io: Io): Promise<T> {
  const prompt = usual === undefined ? `${text}: ` : `${text} [${usual}]: `;
  for (;;) {
    const given = (await io.ask(prompt)).trim();
    // The end of the input is an empty answer, too: it would be asked for ever.
    if (given === "" && usual === undefined) throw new UsageError("no server given: use --server <url>");
    const meaning = meaningOf(given === "" && usual !== undefined ? usual : given);
    if ("value" in meaning) return meaning.value;
    note(meaning.fault, io);
  }
}
