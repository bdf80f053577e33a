import { expect, test } from "vitest";
import * as gitops from "../../../src/index.ts";
import { entitiesNamed, type NamedEntities } from "../../../src/workflow/explain/named-entities.ts";
import { metadataFile, temporaryDirectory } from "../../support/catalog.ts";
import { siteWith } from "../../support/site.ts";
import { datasetNamed } from "../../support/states.ts";

const invoices = datasetNamed("prod.finance.invoices");
const topic = "urn:li:dataset:(urn:li:dataPlatform:kafka,prod.orders,PROD)";

const files = {
  "tags.yaml": "- { kind: Tag, id: pii, name: Personal data }\n- { kind: Domain, id: sales, name: Sales }\n",
  "invoices.yaml": "kind: Dataset\nplatform: snowflake\nname: prod.finance.invoices\ntags: [pii]\n",
};

/** Asks who has a name, of the manifests and of a catalog. */
async function asking(): Promise<(name: string) => Promise<NamedEntities>> {
  const { catalog, root: cwd } = await siteWith(files, "version: 1\n");
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "Personal data" }],
      ["urn:li:tag:gold", "tagProperties", { name: "Gold" }],
      ["urn:li:domain:gold", "domainProperties", { name: "Gold mine" }],
      ["urn:li:domain:2fbac", "domainProperties", { name: "Growth" }],
      ["urn:li:corpuser:Ada", "corpUserInfo", { active: true, displayName: "Ada Doe" }],
      [invoices, "status", { removed: false }],
      [topic, "status", { removed: false }],
      [datasetNamed("prod.orders"), "status", { removed: false }],
      [datasetNamed("PROD.Upper"), "status", { removed: false }],
    ]),
  );
  const repository = await gitops.openRepository({ cwd, directory: "catalog" });
  const scope = await gitops.readScope({ repository, policy: gitops.policyOf(repository.settings) });
  const connection = gitops.connectionTo(catalog.url);
  return async (name) => await entitiesNamed(name, scope, connection, {});
}

test("a dataset's name, an id or a display name names an entity, declared or not", async () => {
  const named = await asking();
  for (const [name, ...urns] of [
    ["prod.finance.invoices", invoices],
    ["pii", "urn:li:tag:pii"],
    ["Personal data", "urn:li:tag:pii"],
    ["personal DATA", "urn:li:tag:pii"],
    ["Growth", "urn:li:domain:2fbac"],
    ["2fbac", "urn:li:domain:2fbac"],
    ["Ada", "urn:li:corpuser:Ada"],
    ["sales", "urn:li:domain:sales"],
    ["PROD.Upper", datasetNamed("PROD.Upper")],
    // In this case it is the name of one alone.
    ["Gold", "urn:li:tag:gold"],
    ["gold", "urn:li:domain:gold", "urn:li:tag:gold"],
    ["prod.orders", topic, datasetNamed("prod.orders")],
  ])
    expect(await named(name ?? ""), name).toEqual({ urns });
});

test("a name that no entity has is answered with one like it, or that contains it", async () => {
  const named = await asking();
  for (const [name = "", suggestion] of [
    ["prod.finance.invoice", "prod.finance.invoices"],
    ["invoices", "prod.finance.invoices"],
    ["UPPER", "PROD.Upper"],
    ["order", "prod.orders"],
    ["Mine", "Gold mine"],
    ["Pr"],
    ["nobody at all"],
  ])
    expect(await named(name), name).toEqual({ urns: [], suggestion });
});
