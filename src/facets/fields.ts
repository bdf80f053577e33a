/** The facets of definitions that are one field of an aspect: names, descriptive texts, and contact data. */

import { nonEmptyString, referenceSchema } from "../model/identifier.ts";
import { textOf } from "../model/json.ts";
import { referenceTo } from "./build.ts";
import type { ScalarFacet } from "./facet.ts";
import { type Field, fieldFacet } from "./field.ts";
import { plainPart } from "../model/urn.ts";
import { linkFault } from "./link-fault.ts";

/** The display name of a definition. */
export const name: ScalarFacet = fieldFacet({
  ...textField("name", "The name that people see. A new one without a name is named by its id.", "Finance"),
  isRequired: true,
  implied: { for: "new-entity", value: plainPart },
});

const list: readonly Field[] = [
  {
    ...referenceField(
      "domain",
      "parent_domain",
      "The id or URN of the domain above; `none` for the top.",
      "corporate",
      "none",
    ),
    relationship: "IsPartOf",
    wording: { gains: "gets", loses: "loses", noun: "domain" },
  },
  {
    ...referenceField(
      "glossaryNode",
      "parent_node",
      "The id or URN of the term group above; `none` for the top.",
      "classification",
      "none",
    ),
    relationship: "IsPartOf",
    wording: { gains: "gets", loses: "loses", noun: "term group" },
  },
  {
    ...textField(
      "definition",
      "What the term means; `none` for no definition.",
      "Only for those who need it.",
    ),
    isProse: true,
  },
  {
    name: "term_source",
    schema: {
      enum: ["INTERNAL", "EXTERNAL"],
      description: "Whether the term is defined here (INTERNAL) or elsewhere (EXTERNAL).",
      default: "INTERNAL",
      examples: ["INTERNAL", "EXTERNAL"],
    },
    isRequired: true,
    implied: { for: "new-entity", value: () => "INTERNAL" },
  },
  textField("source_ref", "The name of the source of an external term; `none` for no name.", "FIBO"),
  textField(
    "source_url",
    "The address of the term at its source; `none` for no address.",
    "https://spec.edmcouncil.org/fibo/ontology/FBC/Accounts",
  ),
  textField(
    "external_url",
    "The address of a page about the data product; `none` for no address.",
    "https://wiki.acme.com/invoicing",
  ),
  {
    ...textField(
      "color_hex",
      "Its colour, in quotes because `#` begins a comment; `none` for no colour.",
      "#C0392B",
    ),
    // DataHub stores any text, but its UI draws only these.
    parse: (written) => {
      const text = textOf(written);
      if (/^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/.test(text))
        return { value: text, references: [] };
      return { refusal: { code: "malformed-colour", args: { text }, at: [] } };
    },
  },
  textField("display_name", "The name that people see.", "Alice Doe"),
  textField("first_name", "The first name.", "Alice"),
  textField("last_name", "The last name.", "Doe"),
  textField("full_name", "The full name.", "Alice B. Doe"),
  expecting(
    /^\S+@\S+$/,
    "an e-mail address, such as `alice@acme.com`",
    textField("email", "The e-mail address.", "alice@acme.com"),
  ),
  textField("title", "The position in the company.", "Data steward"),
  {
    ...referenceField(
      "corpuser",
      "manager_urn",
      "The id or URN of the user's manager; `none` for no manager.",
      "bob@acme.com",
      "urn:li:corpuser:bob@acme.com",
    ),
    relationship: "ReportsTo",
  },
  {
    name: "department_id",
    // The aspect has a number; the text form is `none`. Numbers outside these bounds would lose digits.
    schema: {
      type: ["integer", "string"],
      pattern: "^none$",
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The number of the department; `none` for no number.",
      examples: [4711, "none"],
    },
  },
  textField("department_name", "The name of the department.", "Finance"),
  expecting(
    /^[a-z]{2}$/i,
    "a code of two letters, such as `CH`",
    textField("country_code", "The country, as a code of two letters.", "CH"),
  ),
  textField("slack", "The Slack handle of a user, or the channel of a group.", "@alice", "#finance-data"),
  textField("phone", "The phone number.", "+41 44 000 00 00"),
  {
    ...textField("picture_link", "The address of a picture.", "https://acme.com/alice.png"),
    parse: (written) => {
      const text = textOf(written);
      const code = linkFault(text);
      return { value: text, references: [], ...(code && { warning: { code, args: { text } } }) };
    },
  },
];

function referenceField(
  entityType: string,
  facet: string,
  description: string,
  ...examples: readonly string[]
): Field {
  return {
    name: facet,
    schema: { ...referenceSchema(entityType), description, examples },
    ...referenceTo(entityType),
  };
}

function textField(facet: string, description: string, ...examples: readonly string[]): Field {
  return { name: facet, schema: { ...nonEmptyString, description, examples } };
}

/** Warns about texts that do not match the pattern. DataHub accepts any text. */
function expecting(pattern: RegExp, expected: string, field: Field): Field {
  return {
    ...field,
    parse: (written) => {
      const text = textOf(written);
      const taken = { value: text, references: [] };
      return pattern.test(text)
        ? taken
        : { ...taken, warning: { code: "looks-wrong", args: { text, expected } } };
    },
  };
}

/** All these facets except `name`. They include the fields of `datahub user upsert` and `group upsert`. */
export const fields: readonly ScalarFacet[] = list.map(fieldFacet);
