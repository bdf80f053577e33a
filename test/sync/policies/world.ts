import { policyOf } from "../../plan/policies/subjects.ts";
import { askingCatalog } from "../read/asking.ts";
import { type Reader } from "../../../src/datahub/client.ts";
import type { CatalogPolicy, Policies } from "../../../src/model/catalog-policy.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import type { PolicyResult } from "../../../src/plan/policies/judge-policies.ts";
import { evaluatePolicies, type PolicyInput } from "../../../src/sync/policies/evaluate-policies.ts";
import { where } from "../../support/assets.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, urn } from "../../support/states.ts";

export const origin = { file: "policies.yaml", line: 1, column: 1 };
export const [orders, clicks, fresh] = ["orders", "clicks", "fresh"].map(datasetNamed) as [Urn, Urn, Urn];
export const [pii, gone, sales] = ["tag:pii", "tag:gone", "domain:sales"].map((id) =>
  urn(`urn:li:${id}`),
) as [Urn, Urn, Urn];
export const [alice, team] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:team")];

export const owners = (...of: readonly Urn[]): object => ({
  owners: of.map((owner) => ({ owner, type: "NONE" })),
  lastModified: { time: 0, actor: alice },
});
const tagged = { tags: [{ tag: pii }] };
const inColumn = { fieldPath: "email", globalTags: tagged };

/**
 * Orders have a domain, owners and a tag at a column; clicks have nothing. A tag is removed, and a user suspended. By query, some
 * entities cannot be read.
 */
export async function readerOfWorld(failing: Parameters<typeof askingCatalog>[1] = {}): Promise<Reader> {
  const { reader } = await askingCatalog(
    [
      [orders, "schemaMetadata", schemaWith("id", "email")],
      [orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [inColumn] }],
      [orders, "domains", { domains: [sales] }],
      [orders, "ownership", owners(alice)],
      [clicks, "schemaMetadata", schemaWith("id")],
      [pii, "tagProperties", { name: "pii" }],
      [gone, "tagProperties", { name: "gone", description: "d" }],
      [gone, "status", { removed: true }],
      [sales, "domainProperties", { name: "sales" }],
      [alice, "corpUserInfo", { active: false }],
      [team, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
    ],
    failing,
  );
  return reader;
}

export const hasDomain = policyOf("domain", { requirements: [{ facet: "domain", present: true }] });
export const isOwned = policyOf("owned", { requirements: [{ facet: "owners", active: true, min: 1 }] });
export const noTags = { facet: "columns.tags", present: false };
export const columns = policyOf("columns", {
  columns: {
    conditions: [where("name", "email")],
    exclusions: [],
    requirements: [{ facet: "columns.tags", noneOf: ["pii"] }],
  },
});
export const isDescribed = policyOf("described", {
  kind: "Tag",
  requirements: [{ facet: "description", present: true }],
});

export const nothingDeclared = {
  declaring: { state: new Map(), rules: [], exempt: new Map(), ignored: ignoring([]) },
  day: "2026-11-24",
};

export const at = (line: number): Change["source"] => ({ file: "orders.yaml", line, column: 3 });
export const change = (of: Urn, kind: string, more: object): Change =>
  ({ action: "update", kind, urn: of, fingerprint: "", ...more }) as Change;
export const ofDomain = (of: Urn, after: Urn | null, line = 1): Change =>
  change(of, "Dataset", { shape: "scalar", facet: "domain", before: null, after, source: at(line) });
export const ofSet = (of: Urn, more: object): Change =>
  change(of, "Dataset", { shape: "set", add: [], remove: [], ...more });

/** What does not pass, and how many pass, of each policy. */
export function summary(results: readonly PolicyResult[]): object {
  const places = (all: readonly { urn: Urn; column?: string; source?: object }[]): readonly string[] =>
    all.map(({ urn: of, column, source }) =>
      [of, column, source && `line ${(source as { line: number }).line}`]
        .filter((part) => part !== undefined)
        .join(" "),
    );
  return Object.fromEntries(
    results.map(({ policy: { id }, passes, introduced, fixed, existing, unknown }) => {
      const all = { introduced, fixed, existing, unknown };
      const found = Object.entries(all).flatMap(([name, each]) =>
        each.length > 0 ? [[name, places(each)]] : [],
      );
      return [id, { passes, ...Object.fromEntries(found) }];
    }),
  );
}

export async function judge(
  toJudge: PolicyInput,
  policies: readonly CatalogPolicy[],
  base?: Policies,
): Promise<object> {
  const given = { ...nothingDeclared, policies, waivers: [], base };
  return summary(await evaluatePolicies(await readerOfWorld(), toJudge, given, {}));
}
