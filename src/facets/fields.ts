/** Defines the facets for names, texts and contact data of definitions. Each facet is stored in a single field of an aspect. */

import { nonEmptyString, referenceSchema } from "../model/identifier.ts";
import { textOf } from "../model/json.ts";
import { referenceTo } from "./build.ts";
import type { ScalarFacet } from "./facet.ts";
import { type Field, fieldFacet } from "./field.ts";
import { plainPart } from "../model/urn.ts";
import { linkFault } from "./link-fault.ts";

/** The display name of a definition. */
export const name: ScalarFacet = fieldFacet({
  ...textField("name", "The name shown in DataHub. For a new entity, the default is its id.", "Finance"),
  isRequired: true,
  implied: { for: "new-entity", value: plainPart },
});

const list: readonly Field[] = [
  {
    ...referenceField(
      "domain",
      "parent_domain",
      "The parent domain, by id or URN. `none` puts the domain at the top level.",
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
      "The term group that contains the term, by id or URN. `none` puts the term at the top level.",
      "classification",
      "none",
    ),
    relationship: "IsPartOf",
    wording: { gains: "gets", loses: "loses", noun: "term group" },
  },
  {
    ...textField(
      "definition",
      "Explains what the term means. `none` removes the definition.",
      "Restricted to people who need it for their work.",
    ),
    isProse: true,
  },
  {
    name: "term_source",
    schema: {
      enum: ["INTERNAL", "EXTERNAL"],
      description: "Where the term is defined: in your organization (`INTERNAL`) or elsewhere (`EXTERNAL`).",
      default: "INTERNAL",
      examples: ["INTERNAL", "EXTERNAL"],
    },
    isRequired: true,
    implied: { for: "new-entity", value: () => "INTERNAL" },
  },
  textField(
    "source_ref",
    "The source of an external term, such as an industry standard. `none` removes it.",
    "FIBO",
  ),
  textField(
    "source_url",
    "The URL of the term at its source. `none` removes it.",
    "https://spec.edmcouncil.org/fibo/ontology/FBC/Accounts",
  ),
  textField(
    "external_url",
    "The URL of a page about the data product. `none` removes it.",
    "https://wiki.acme.com/invoicing",
  ),
  {
    ...textField(
      "color_hex",
      "The hexadecimal color code, in quotes because `#` starts a comment in YAML. `none` removes the color.",
      "#C0392B",
    ),
    // DataHub stores any text, but its UI displays only these formats.
    parse: (written) => {
      const text = textOf(written);
      if (/^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/.test(text))
        return { value: text, references: [] };
      return { refusal: { code: "malformed-colour", args: { text }, at: [] } };
    },
  },
  textField("display_name", "The name shown in DataHub.", "Alice Doe"),
  textField("first_name", "The user's first name.", "Alice"),
  textField("last_name", "The user's last name.", "Doe"),
  textField("full_name", "The user's full name.", "Alice B. Doe"),
  expecting(
    /^\S+@\S+$/,
    "an email address, such as `alice@acme.com`",
    textField("email", "The user's email address.", "alice@acme.com"),
  ),
  textField("title", "The user's job title.", "Data steward"),
  {
    ...referenceField(
      "corpuser",
      "manager_urn",
      "The user's manager, by id or URN. `none` means no manager.",
      "bob@acme.com",
      "urn:li:corpuser:bob@acme.com",
    ),
    relationship: "ReportsTo",
  },
  {
    name: "department_id",
    // The aspect stores a number. The only string that manifests allow is `none`. Numbers outside these bounds would lose digits.
    schema: {
      type: ["integer", "string"],
      pattern: "^none$",
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The numeric id of the user's department. `none` removes it.",
      examples: [4711, "none"],
    },
  },
  textField("department_name", "The name of the user's department.", "Finance"),
  expecting(
    /^[a-z]{2}$/i,
    "a two-letter code, such as `CH`",
    textField("country_code", "The user's country, as a two-letter code.", "CH"),
  ),
  textField("slack", "The Slack handle or channel.", "@alice", "#finance-data"),
  textField("phone", "The user's phone number.", "+41 44 000 00 00"),
  {
    ...textField("picture_link", "The URL of a picture.", "https://acme.com/alice.png"),
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

/** Adds a warning about values that do not match the pattern. They are not errors, because DataHub accepts any text. */
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

/** All facets in this file except `name`. They include all fields that `datahub user upsert` and `group upsert` accept. */
export const fields: readonly ScalarFacet[] = list.map(fieldFacet);
