/** Tests the waiver that is printed for violations: it can be pasted as it is. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { policyHelpOf } from "../../src/report/document/policies.ts";
import { datasetNamed } from "../support/states.ts";

test.each([1, 2, 3])("the waiver of %i violations names their URNs exactly", (number) => {
  const urns = ["orders", "invoices", "refunds"].map(datasetNamed).slice(0, number);
  const policy = {
    id: "owned",
    severity: "error",
    source: { file: "catalog/policies.yaml", line: 1, column: 1 },
    matched: number,
    passes: 0,
    introduced: urns.map((urn) => ({ urn, reasons: ["has no owner"] })),
    fixed: [],
    existing: 0,
    waived: 0,
    unknown: 0,
  } as const;
  const [{ waiver = [] } = {}] = policyHelpOf([policy], "2026-11-28T00:00:00.000Z");
  expect(parse(waiver.join("\n"))).toMatchObject({ match: { urn: number === 1 ? urns[0] : urns } });
});
