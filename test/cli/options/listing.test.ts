import { Command } from "commander";
import { expect, test } from "vitest";
import {
  addFilterOptions,
  filterOf,
  type FilterOptions,
  leavesColumnsOut,
} from "../../../src/cli/options/listing.ts";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { ListFilter } from "../../../src/model/listing.ts";
import { filterOf as filterWith } from "../../plan/listing/listed.ts";

const me = "urn:li:corpuser:ada";

/** The policies that manifests declare, as far as a filter needs them. */
const policies = [
  { id: "owned", kind: "Dataset" },
  { id: "domains-have-owners", kind: "Domain" },
] as unknown as readonly CatalogPolicy[];

function optionsOf(flags: string): FilterOptions {
  const command = addFilterOptions(new Command()).option("--columns").exitOverride();
  return command
    .configureOutput({ writeErr: () => {} })
    .parse(flags.split(" "), { from: "user" })
    .opts();
}

const filterFor = (flags: string): Promise<ListFilter> =>
  filterOf(optionsOf(flags), policies)(() => Promise.resolve(me));

const condition = (key: string, ...patterns: readonly string[]): Partial<ListFilter> => ({
  conditions: [{ key, patterns, origin: { file: "command line", line: 1, column: 1 } }],
});
const values = (
  facet: string,
  options: Readonly<Record<string, readonly string[]>>,
): Partial<ListFilter> => ({
  values: new Map([[facet, new Map(Object.entries(options))]]),
});

test.each<readonly [string, Partial<ListFilter>]>([
  ["--kind Dataset --kind Tag", { kinds: ["Dataset", "Tag"] }],
  ["--platform snowflake", condition("platform", "snowflake")],
  ["--env DEV", condition("env", "DEV")],
  ["--name prod.* --name dev.*", condition("name", "prod.*", "dev.*")],
  ["--container schema", condition("container", "schema")],
  ["--domain finance", values("domain", { domain: ["finance"] })],
  ["--owner ada --type DATA_STEWARD", values("owners", { owner: ["ada"], type: ["DATA_STEWARD"] })],
  ["--owner ben --owner me", values("owners", { owner: ["ben", me] })],
  ["--domain me", values("domain", { domain: ["me"] })],
  ["--tag p* --tag none", values("tags", { tag: ["p*", "none"] })],
  ["--term revenue", values("glossary_terms", { term: ["revenue"] })],
  ["--property days=90", values("structured_properties", { property: ["days=90"] })],
  ["--missing owners --missing description", { missing: ["owners", "description"] }],
  ["--declared", { isDeclared: true }],
  ["--undeclared", { isDeclared: false }],
  ["--columns", { byColumn: true }],
  [
    "--policy owned --policy domains-have-owners",
    { policies: ["owned", "domains-have-owners"], kinds: ["Dataset", "Domain"] },
  ],
  ["--policy owned --kind Tag", { policies: ["owned"], kinds: [] }],
])("%s becomes a filter", async (flags, expected) => {
  expect(await filterFor(flags)).toEqual(filterWith(expected));
});

test("the user of the token is asked for only where an option takes `me`", async () => {
  const nobody = (): Promise<string> => Promise.reject(new Error("asked"));

  await expect(filterOf(optionsOf("--owner ada"), policies)(nobody)).resolves.toBeDefined();
  await expect(filterOf(optionsOf("--owner me"), policies)(nobody)).rejects.toThrow("asked");
});

test.each([
  ["--kind Datasett", "Did you mean Dataset?"],
  ["--missing owner", "Did you mean owners?"],
  ["--missing columns.tags", "It must be one of"],
  ["--declared --undeclared", "cannot be used with option"],
  ["--policy ownd", "--policy ownd: no manifest declares a policy with this id; did you mean owned?"],
])("%s is a usage error", (flags, message) => {
  expect(() => filterOf(optionsOf(flags), policies)).toThrow(message);
});

test.each([
  ["--tag none", true],
  ["--term none", true],
  ["--property none", true],
  ["--tag none --columns", false],
  ["--owner none", false],
])("with %s values of columns are left out: %s", (flags, areLeftOut) => {
  expect(leavesColumnsOut(optionsOf(flags))).toBe(areLeftOut);
});
