import { expect, test } from "vitest";
import { imported } from "./imported.ts";

// A file, what it looks like, and what its message says.
test.each([
  ["apiVersion: v3.0.0\nkind: DataContract\nversion: 1.0.0\n", "an ODCS data contract", "`odcs`"],
  [
    "version: 1\nentity: urn:li:dataset:x\nfreshness: {}\n",
    "a data contract",
    "`datahub datacontract upsert`",
  ],
  ["version: 1\nlineage: []\n", "a lineage file", "`datahub-lineage-file`"],
  ["version: 2\nmodels: []\n", "a dbt schema file", "`dbt`"],
  ["version: 2\nsources: []\n", "a dbt schema file", "`dbt`"],
  ['{"metadata": {"dbt_schema_version": "v12"}, "nodes": {}}\n', "a dbt artifact", "`dbt`"],
  ["- id: a\n  type: VERIFICATION\n  prompts: []\n", "a file with forms", "`datahub forms upsert`"],
  ["- id: bar\n  email: bar@acryl.io\n", "a file with users", "`datahub-gitops user upsert -f`"],
  ["id: foo\nadmins: [datahub]\n", "a file with groups", "`datahub-gitops group upsert -f`"],
  ["urn: urn:li:dataset:x\nname: x\n", "a file with datasets", "`datahub dataset upsert`"],
  ["id: x\nplatform: hive\nschema: {}\n", "a file with datasets", "`datahub dataset upsert`"],
  ["version: 1\nassertions: []\n", "a file with assertions", "`datahub assertions upsert`"],
  ["source: { type: dbt, config: {} }\n", "an ingestion recipe", "`datahub ingest`"],
  [
    '[{"entityType": "tag", "entityUrn": "urn:li:tag:a"}]\n',
    "a metadata file",
    "`datahub-gitops serve --load`",
  ],
  ['{"version": 4, "terraform_version": "1.9", "resources": []}\n', "a Terraform state file", "export"],
  ['resource "datahub_tag" "pii" {\n  name = "PII"\n}\n', "a Terraform configuration", "export"],
  ['resource,subresource,glossary_terms\nurn:li:x,,"[a]"\n', "a CSV enricher file", "`csv-enricher`"],
  ["kind: Tag\nid: pii\n", "a file with `kind`", "catalog directory"],
])("%j is named as what it is", async (text, what, use) => {
  const { problems } = await imported(text);
  expect(problems).toMatchObject([{ code: "not-importable", args: { use: expect.stringContaining(use) } }]);
  expect(problems).toMatchObject([{ args: { what: expect.stringContaining(what) } }]);
});

test.each(["version: 1\n", "version: 1.0.0\nowners: []\n", "- type: METADATA\n  name: x\n", "# nothing\n"])(
  "%j is a file of no known format",
  async (text) => {
    const { problems } = await imported(text);
    expect(problems.map(({ code, args }) => [code, args])).toEqual([["not-importable", {}]]);
  },
);
