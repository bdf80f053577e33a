import type { Problem } from "../../model/problem.ts";

/** What a code means, for the documentation, and what one problem of it says. */
export interface ProblemText<Args> {
  readonly meaning: string;
  readonly message: (args: Args, severity: Problem["severity"]) => string;
  /** The message names what to write, so it is not suggested again. */
  readonly namesWrite?: true;
  /** It concerns a file or folder as a whole: there is no line to show. */
  readonly whole?: true;
  /** The line may hold a secret and is never shown. */
  readonly secret?: true;
}

/** A text for each code of a table of arguments. */
export type ProblemTexts<Table> = { readonly [Code in keyof Table]: ProblemText<Table[Code]> };

const longestQuote = 80;

/** A URN is of use only whole, and DataHub takes none above 512 bytes. */
const longestUrn = 600;

/** A text in back quotes, a long one cut in the middle of nowhere. */
export function code(text: string): string {
  const longest = text.startsWith("urn:li:") ? longestUrn : longestQuote;
  return `\`${text.length > longest ? `${text.slice(0, longest)}…` : text}\``;
}

/** "`a`, `b` or `c`"; of a long list the beginning. */
export function choice(texts: readonly string[], most = 20): string {
  const shown = texts.slice(0, most).map(code);
  if (texts.length > most) return `${shown.join(", ")}, … (${texts.length} in all)`;
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${last}` : last;
}

/** "a dataset", "an unknown". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) && !/^u[st]/i.test(noun) ? "an" : "a"} ${noun}`;
}

const nouns: Readonly<Record<string, string>> = {
  corpuser: "user",
  corpGroup: "group",
  ownershipType: "ownership type",
  dataPlatform: "data platform",
};

/** An entity type of a URN in plain words. */
export function nounOf(entityType: string): string {
  return nouns[entityType] ?? entityType;
}
