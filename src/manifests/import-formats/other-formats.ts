/** Recognizes file formats that `import` does not read, and names the alternative to `import`. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { hasSome } from "./field-values.ts";

/** A format, as a problem describes it. */
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

const client = (command: string): string => `\`datahub ${command}\` does, and then \`datahub-gitops export\``;
const source = (name: string): string =>
  `the ingestion source \`${name}\` does, and then \`datahub-gitops export\``;

const textFormats: readonly (OtherFormat & { readonly pattern: RegExp })[] = [
  {
    pattern: /^\uFEFF?"?resource"?,"?subresource"?,/,
    what: "a file of the CSV enricher",
    use: source("csv-enricher"),
  },
  {
    pattern: /^\s*(?:resource|data|provider|module|variable|terraform|locals|output)\b[^\n:]*\{/m,
    what: "a configuration of Terraform",
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
    what: "a file with `kind`, as manifests have",
    use: "write a manifest into the catalog directory",
  },
  {
    matches: (entry) => hasSome(entry, ["entityUrn", "entityKeyAspect", "proposedSnapshot"]),
    what: "a metadata file",
    use: "run `datahub-gitops serve --load` with it, and then `datahub-gitops export`",
  },
  {
    matches: (entry) => hasSome(entry, ["prompts"]),
    what: "a file of forms",
    use: "`datahub forms upsert` does; forms are not managed",
  },
  {
    matches: (entry) =>
      hasSome(entry, ["entity"]) && hasSome(entry, ["freshness", "schema", "data_quality", "version"]),
    what: "a data contract",
    use: "`datahub datacontract upsert` does; contracts are not managed",
  },
  {
    matches: (entry) => hasSome(entry, ["assertions"]),
    what: "a file of assertions",
    use: "`datahub assertions upsert` does; assertions are not managed",
  },
  {
    matches: (entry) => hasSome(entry, ["lineage"]),
    what: "a file of lineage",
    use: "the ingestion source `datahub-lineage-file` does; lineage is not managed",
  },
  {
    matches: (entry) => hasSome(entry, ["terraform_version"]),
    what: "a state of Terraform",
    use: "run `datahub-gitops export` on the catalog that it describes",
  },
  {
    matches: (entry) => isJsonObject(entry["metadata"]) && hasSome(entry["metadata"], ["dbt_schema_version"]),
    what: "an artifact of dbt",
    use: source("dbt"),
  },
  {
    matches: (entry) =>
      hasSome(entry, ["models", "seeds", "snapshots", "exposures", "semantic_models", "macros"]) ||
      isJsonList(entry["sources"]),
    what: "a schema file of dbt",
    use: source("dbt"),
  },
  {
    matches: ({ source: from }) => isJsonObject(from) && hasSome(from, ["type"]),
    what: "a recipe",
    use: "`datahub ingest` does",
  },
  {
    matches: (entry) =>
      hasSome(entry, ["schema", "schema_metadata", "subtype", "downstreams"]) || isDatasetUrn(entry["urn"]),
    what: "a file of datasets",
    use: client("dataset upsert"),
  },
  {
    matches: (entry) => hasSome(entry, ["members", "admins"]),
    what: "a file of groups",
    use: "run `datahub-gitops group upsert -f` with it, and then `datahub-gitops export`",
  },
  {
    matches: (entry) => hasSome(entry, ["id"]) && hasSome(entry, ["email", "first_name", "groups", "title"]),
    what: "a file of users",
    use: "run `datahub-gitops user upsert -f` with it, and then `datahub-gitops export`",
  },
];

function isDatasetUrn(urn: Json | undefined): boolean {
  return typeof urn === "string" && urn.startsWith("urn:li:dataset:");
}
