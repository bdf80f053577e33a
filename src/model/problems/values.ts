/** Defines the problems with declared values. */

import { orders } from "./samples.ts";
import type { UrnFault } from "../urn.ts";
import { code, type Misspelled } from "./text.ts";
import { problem } from "./problem.ts";

type MalformedUrn = Misspelled & {
  text: string;
  reason: Exclude<UrnFault["reason"], "entity-type">;
  detail?: string;
  field: string;
};

export const valueProblems = {
  /**
   * Warning: an id, name or reference contains an invisible character, so it can look the same as a different text. Emoji and
   * descriptions are not checked.
   */
  "invisible-character": problem({
    message: ({ field, character }: { field: string; character: string }) =>
      `${code(field)} contains the invisible character ${character}: remove it, because it makes different names look the same`,
    samples: [{ field: "tags[0]", character: "U+200D" }],
  }),
  /** A value is not valid for its field, for a reason that no other problem code covers. */
  "invalid-value": problem({
    message: ({ field, reason }: { field: string; reason: string }) => `${code(field)} ${reason}`,
    samples: [{ field: "qualified_name", reason: 'must be the same as the id, "days"' }],
  }),
  /**
   * A number has more digits than DataHub can store. DataHub stores the numbers in structured properties as doubles. The message
   * shows the value that DataHub would store.
   */
  "inexact-number": problem({
    message: ({ field, value, nearest }: { field: string; value: string; nearest: string }) =>
      `${code(field)} has more digits than DataHub can store: ${code(value)} would be stored as ${code(nearest)}; write ${code(nearest)} instead`,
    samples: [
      {
        field: "structured_properties.retention_days",
        value: "9007199254740993",
        nearest: "9007199254740992",
      },
    ],
  }),
  /** A number is too small or too large for its field. */
  "out-of-range": problem({
    message: ({
      field,
      value,
      minimum,
      maximum,
    }: {
      field: string;
      value: string;
      minimum: number;
      maximum?: number | undefined;
    }) =>
      `${code(field)} must be ${
        maximum === undefined ? `${minimum} or more` : `between ${minimum} and ${maximum}`
      }, but is ${value}`,
    samples: [
      { field: "max_percent", value: "130", minimum: 0, maximum: 100 },
      { field: "max_count", value: "-1", minimum: 0 },
    ],
  }),
  /** The value is `none`, but the field cannot be unset. */
  "cannot-be-unset": problem({
    message: ({ field }: { field: string }) =>
      `${code(field)} cannot be unset: write a value, or remove the key (to use "none" as the value, quote it)`,
    samples: [{ field: "name" }],
  }),
  /** The color of a tag is not a valid hexadecimal color. */
  "malformed-colour": problem({
    message: ({ text }: { text: string; field: string }) =>
      `${code(text)} is not a valid color: use a hexadecimal color, like \`"#C0392B"\``,
    samples: [{ text: "red", field: "color_hex" }],
  }),
  /** The `decommission_time` of a deprecation is neither a date nor a date and time with a time zone. */
  "malformed-date": problem({
    message: ({ text }: { text: string; field: string }) =>
      `${code(text)} is not a valid date: use a date like \`2027-06-30\`, or a date and time with a time zone, like \`2027-06-30T12:00:00Z\``,
    samples: [{ text: "June", field: "deprecation" }],
  }),
  /** A link is not an absolute URL with a scheme that DataHub accepts. */
  "malformed-url": problem({
    message: ({ text }: { text: string; field: string }) =>
      `${code(text)} is not an absolute URL: use a URL with a scheme, like \`https://wiki.acme.com/invoices\``,
    samples: [{ text: "/wiki", field: "links" }],
  }),
  /** Warning: a link has a scheme other than `https:`. DataHub 1.6.0.1 and later accept only `https:` links. */
  "insecure-link": problem({
    message: ({ field, text }: { text: string; field: string }) =>
      `${code(field)} is ${code(text)}, but DataHub 1.6.0.1 and later accept only links that begin with \`https:\``,
    samples: [{ text: "http://x/a.png", field: "picture_link" }],
  }),
  /**
   * Warning: a value that DataHub accepts is probably a mistake: an email address without `@`, a country that is not a two-letter
   * code, or a data platform whose id DataHub writes in lower case.
   */
  "looks-wrong": problem({
    message: ({ field, text, expected }: Misspelled & { text: string; expected: string; field: string }) =>
      `${code(field)} is ${code(text)}, but should be ${expected}`,
    samples: [
      { text: "foo", field: "email", expected: "an email address, such as `alice@acme.com`" },
      { text: "BigQuery", field: "platform", expected: "in lower case", suggestion: "bigquery" },
    ],
  }),
  /**
   * Warning: the host of a link is private: a private IP address, `localhost`, a name without a dot, or a name that ends in
   * `.local` or another local-network suffix. DataHub 1.6.0.1 and later load pictures themselves, and refuse such hosts and hosts
   * that they cannot resolve.
   */
  "private-link": problem({
    message: ({ field, text }: { text: string; field: string }) =>
      `${code(field)} is ${code(text)}, but DataHub 1.6.0.1 and later accept only links to public hosts`,
    samples: [{ text: "https://10.0.0.1/a.png", field: "picture_link" }],
  }),
  /** An id or URN is not valid in DataHub. */
  "malformed-urn": problem({
    message: (args: MalformedUrn) => `${code(args.text)} is not a valid URN: ${urnFault(args)}`,
    samples: [
      { text: "x", field: "urn", reason: "prefix" },
      { text: "x ", field: "urn", reason: "white-space" },
      { text: "x y", field: "id", reason: "blank" },
      { text: "urn:li:tag:", field: "urn", reason: "empty-key" },
      { text: "a(", field: "urn", reason: "brackets" },
      { text: "a␟b", field: "urn", reason: "separator" },
      { text: "urn:li:tag:(a,b)", field: "urn", reason: "parts" },
      { text: "aaa", field: "urn", reason: "length" },
      {
        text: "urn:li:dataset:x",
        field: "urn",
        reason: "asset-parts",
        detail: "urn:li:dataset:(urn:li:dataPlatform:<platform>,<name>,<ENV>)",
      },
      { text: "urn:li:dataset:(kafka,orders,PROD)", field: "urn", reason: "platform", detail: "kafka" },
      { text: orders.replace("PROD", "PRDO"), field: "urn", reason: "fabric", detail: "PRDO" },
    ],
  }),
};

function urnFault({ reason, detail = "" }: MalformedUrn): string {
  const faults: Readonly<Record<typeof reason, string>> = {
    prefix: "it must have the form `urn:li:<entity type>:<key>`",
    "white-space": "it must not end with white space",
    blank: "it must not contain spaces",
    "empty-key": "the key after the entity type is empty",
    brackets: "its parentheses are not balanced",
    separator: "it must not contain the character `\u241F`",
    parts: "its key must not be a list in parentheses",
    length: "it is longer than 512 bytes when URL-encoded",
    "asset-parts": `it must have the form ${code(detail)}`,
    platform: `${code(detail)} is not the URN of a data platform, such as \`urn:li:dataPlatform:kafka\``,
    fabric: `${code(detail)} is not an environment (PROD, DEV, TEST, …)`,
  };
  return faults[reason];
}
