/** Recognizes file formats that `import` does not read, and suggests an alternative to `import`. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { hasSome } from "./field-values.ts";

/** A recognized format, as described in a problem message. */
export interface OtherFormat {
  /** The format's name, with an article. */
  readonly what: string;
  /** The alternative to `import`; absent if there is none. */
  readonly use?: string;
}

/** Recognizes the format of a document that no importer reads; `undefined` if unknown. */
export function otherFormat(root: Json): OtherFormat | undefined {
  if (typeof root === "string") return otherText(root);
  const [entry] = isJsonList(root) ? root : [root];
  return isJsonObject(entry) ? formats.find(({ matches }) => matches(entry)) : undefined;
}

/** Recognizes the format of a text that is not YAML; `undefined` if unknown. */
export function otherText(text: string): OtherFormat | undefined {
  return textFormats.find(({ pattern }) => pattern.test(text));
}

const client = (command: string): string =>
  `use \`datahub ${command}\`, and then run \`datahub-gitops export\``;
const source = (name: string): string =>
  `use the ingestion source \`${name}\`, and then run \`datahub-gitops export\``;

const textFormats: readonly (OtherFormat & { readonly pattern: RegExp })[] = [
  {
    pattern: /^\uFEFF?"?resource"?,"?subresource"?,/,
    what: "a CSV enricher file",
    use: source("csv-enricher"),
  },
  {
    pattern: /^\s*(?:resource|data|provider|module|variable|terraform|locals|output)\b[^\n:]*\{/m,
    what: "a Terraform configuration",
    use: "apply it, and then run `datahub-gitops export`",
  },
];

const formats: readonly (OtherFormat & { readonly matches: (entry: JsonObject) => boolean })[] = [
  {
    matches: ({ kind }) => kind === "DataContract",
    what: "an ODCS data contract",
    use: source("odcs"),
  },
  {
    matches: (entry) => hasSome(entry, ["kind"]),
    what: "a file with `kind`, like a manifest",
    use: "add manifests directly to the catalog directory",
  },
  {
    matches: (entry) => hasSome(entry, ["entityUrn", "entityKeyAspect", "proposedSnapshot"]),
    what: "a metadata file",
    use: "run `datahub-gitops serve --load` with this file, and then `datahub-gitops export`",
  },
  {
    matches: (entry) => hasSome(entry, ["prompts"]),
    what: "a file with forms",
    use: "use `datahub forms upsert`, because datahub-gitops does not manage forms",
  },
  {
    matches: (entry) =>
      hasSome(entry, ["entity"]) && hasSome(entry, ["freshness", "schema", "data_quality", "version"]),
    what: "a data contract",
    use: "use `datahub datacontract upsert`, because datahub-gitops does not manage data contracts",
  },
  {
    matches: (entry) => hasSome(entry, ["assertions"]),
    what: "a file with assertions",
    use: "use `datahub assertions upsert`, because datahub-gitops does not manage assertions",
  },
  {
    matches: (entry) => hasSome(entry, ["lineage"]),
    what: "a lineage file",
    use: "use the ingestion source `datahub-lineage-file`, because datahub-gitops does not manage lineage",
  },
  {
    matches: (entry) => hasSome(entry, ["terraform_version"]),
    what: "a Terraform state file",
    use: "run `datahub-gitops export` to write manifests for the catalog that Terraform manages",
  },
  {
    matches: (entry) => isJsonObject(entry["metadata"]) && hasSome(entry["metadata"], ["dbt_schema_version"]),
    what: "a dbt artifact",
    use: source("dbt"),
  },
  {
    matches: (entry) =>
      hasSome(entry, ["models", "seeds", "snapshots", "exposures", "semantic_models", "macros"]) ||
      isJsonList(entry["sources"]),
    what: "a dbt schema file",
    use: source("dbt"),
  },
  {
    matches: ({ source: from }) => isJsonObject(from) && hasSome(from, ["type"]),
    what: "an ingestion recipe",
    use: "use `datahub ingest`",
  },
  {
    matches: (entry) =>
      hasSome(entry, ["schema", "schema_metadata", "subtype", "downstreams"]) || isDatasetUrn(entry["urn"]),
    what: "a file with datasets",
    use: client("dataset upsert"),
  },
  {
    matches: (entry) => hasSome(entry, ["members", "admins"]),
    what: "a file with groups",
    use: "run `datahub-gitops group upsert -f` with this file, and then `datahub-gitops export`",
  },
  {
    matches: (entry) => hasSome(entry, ["id"]) && hasSome(entry, ["email", "first_name", "groups", "title"]),
    what: "a file with users",
    use: "run `datahub-gitops user upsert -f` with this file, and then `datahub-gitops export`",
  },
];

function isDatasetUrn(urn: Json | undefined): boolean {
  return typeof urn === "string" && urn.startsWith("urn:li:dataset:");
}
