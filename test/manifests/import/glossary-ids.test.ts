import { expect, test } from "vitest";
import { idOfPath } from "../../../src/manifests/import-formats/glossary-ids.ts";

// What `create_id` of acryl-datahub 1.7.0.17 answers, without and with `enable_auto_id`.
test.each([
  ["Classification", "Classification", "510f2c45a4622cb5ae7d4616c2aeafa2"],
  [
    "Classification.Highly Confidential",
    "Classification.Highly-Confidential",
    "aa0c9a43967840932fe68b1ffc0815ec",
  ],
  ["A  B", "A-B", "3d4586688f20267d6a8fdb36bd435b48"],
  ["A - B", "A-B", "4a8ba794c2f7657a911c99846fc297b5"],
  ["P&L (net), %", "PL-net", "8cadcee1419520454b2c325aaeb16a65"],
  ["v1..2.", "v1.2", "ab8e7e118ae0db6d1f037cdb4ef03e3b"],
  ["-a-", "a", "6f2dcc3827d816457dd581458759e0f6"],
  ["a_b", "ab", "4306bfff4406e9ce1227c54f04905293"],
  ["Umsatz.Größe", "01dacf207d59e6e1c3cd524d3dba0461", "01dacf207d59e6e1c3cd524d3dba0461"],
  ["日本", "9f4de21e6ab63852f713b9d0f4d14929", "9f4de21e6ab63852f713b9d0f4d14929"],
  ["😀", "82ccf44c7c4200096a71000c6e607dcc", "82ccf44c7c4200096a71000c6e607dcc"],
  ["Tab\there", "Tabhere", "0e796156504f773c037096a17295b1f4"],
  ["a\u007Fb", "ab", "8f4fe33dd618cf9af552c8e595a400b5"],
  ['A "b" \\ c', "A-b-c", "9ac127f2451bb8f58cdcb791eedb517a"],
  ["!!!", "", "935ed870099fb6b0f9d9c8f50f1e9599"],
])("the id of the path %j is %j, and %s with automatic ids", (path, plain, automatic) => {
  expect([idOfPath(path, false), idOfPath(path, true)]).toEqual([plain, automatic]);
});
