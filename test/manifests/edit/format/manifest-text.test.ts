import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf } from "../../../../src/kinds/index.ts";
import { fieldOrder } from "../../../../src/manifests/edit/format/field-order.ts";
import { formatted } from "../../../../src/manifests/edit/format/formatted.ts";
import { manifestText } from "../../../../src/manifests/edit/format/manifest-text.ts";
import { textOf } from "../../../../src/model/json.ts";
import { yamlIn } from "../../../../src/manifests/yaml/yaml-file.ts";
import { lawsOf } from "../../../laws/law.ts";
import { plainManifest } from "./values.ts";

const law = lawsOf(fc.array(plainManifest, { minLength: 1, maxLength: 3 }), 80);

law("what manifestText writes is in canonical form: to format it changes nothing", (manifests) => {
  const text = manifestText(manifests);
  expect(formatted(text)).toBe(text);
});

law("what manifestText writes is read as the same data", (manifests) => {
  const { documents, problems } = yamlIn("a.yaml", Buffer.from(manifestText(manifests)));
  expect(problems).toEqual([]);
  expect(documents.map(({ root }) => root)).toEqual(manifests.map(({ data }) => data));
});

law("the fields of a kind have one order, whatever the order of the data", (manifests) => {
  const known = manifests.map(({ data }) =>
    Object.entries(data).filter(([key]) => fieldOrder(kindOf(textOf(data["kind"]))).includes(key)),
  );
  const [one, other] = [known, known.map((entries) => entries.toReversed())].map((all) =>
    manifestText(all.map((entries) => ({ data: Object.fromEntries(entries) }))),
  );
  expect(one).toBe(other);
});

test("a comment stands beside the value or the element of a list that its pointer names", () => {
  const data = {
    tags: ["tier-1", "2fbac1a0"],
    owners: [{ group: "g1" }, { user: "alice", type: "DATA_STEWARD" }],
    columns: { "a/b": { tags: ["pii"] }, email: { tags: ["0c11"] } },
    domain: "2fbac1a0",
    urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.a,PROD)",
    kind: "Dataset",
  };
  const comments = new Map([
    ["/domain", "Growth"],
    ["/tags/1", "Gold\nstandard\u0007"],
    ["/owners/0", "Finance # Data"],
    ["/columns/a~1b", "odd"],
    ["/columns/email/tags/0", "PII"],
    ["/columns/gone", "nothing stands there"],
  ]);
  expect(manifestText([{ data, comments }])).toBe(`kind: Dataset
urn: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.a,PROD)
domain: 2fbac1a0 # Growth
owners:
  - { group: g1 } # Finance # Data
  - { user: alice, type: DATA_STEWARD }
tags:
  - tier-1
  - 2fbac1a0 # Gold standard
columns:
  a/b: { tags: [pii] } # odd
  email:
    tags:
      - 0c11 # PII
`);
});

test("a text is never taken for the word that unsets a value, and null is that word", () => {
  const data = { kind: "Domain", id: "a", description: "none", parent_domain: null };
  expect(manifestText([{ data }])).toBe('kind: Domain\nid: a\ndescription: "none"\nparent_domain: none\n');
});
