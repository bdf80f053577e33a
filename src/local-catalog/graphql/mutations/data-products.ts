/** Mutations that create, change and delete data products, and add and remove their assets. */

import type { JsonObject } from "../../../model/json.ts";
import { objectsAt, stringsAt } from "../../json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { relatedTo } from "../../store/relationships.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { badRequest, serverError, unauthorized } from "../errors.ts";
import type { RequestContext } from "../request-context.ts";
import { deleteEntity } from "./deletions.ts";
import { newUrn, optionalUrn, requireUrn, userStamp, type InputMutation, type Mutation } from "./mutation.ts";
import { writeAsUser } from "../write-as-user.ts";

interface CreateInput {
  readonly id?: string | null;
  readonly domainUrn: string;
  readonly properties: { readonly name: string; readonly description?: string | null };
}

/** Creates a data product in a domain (CreateDataProductResolver.java). */
export const createDataProduct: InputMutation<CreateInput, EntitySource | null> = ({ input }, context) => {
  const { id, properties } = input;
  const domainUrn = requireUrn(input.domainUrn);
  if (!entityExists(context.store, domainUrn)) throw badRequest("The Domain provided dos not exist");
  const urn = newUrn("dataProduct", "Data product", id?.trim() === "" ? undefined : id, context);
  if (urn === null) return null;
  writeAsUser(context, urn, "dataProductProperties", properties);
  writeAsUser(context, urn, "domains", { domains: [domainUrn] });
  return entitySource(urn);
};

interface UpdateArgs {
  readonly urn: string;
  readonly input: { readonly name?: string | null; readonly description?: string | null };
}

/** Sets a data product's name and description. A missing argument leaves the value unchanged (UpdateDataProductResolver.java). */
export const updateDataProduct: Mutation<UpdateArgs, EntitySource> = ({ urn: given, input }, context) => {
  const urn = requireProduct(given, context);
  const before = context.store.latest(urn, "dataProductProperties")?.value ?? {};
  const { name, description } = input;
  writeAsUser(context, urn, "dataProductProperties", {
    ...before,
    name: name ?? before["name"],
    description: description ?? before["description"],
  });
  return entitySource(urn);
};

/** Deletes an existing data product (DeleteDataProductResolver.java). */
export const deleteDataProduct: Mutation<{ readonly urn: string }> = ({ urn }, context) =>
  deleteEntity({ urn: requireProduct(urn, context) }, context);

interface BatchSetInput {
  readonly dataProductUrn?: string | null;
  readonly resourceUrns: readonly string[];
}

/**
 * Adds assets to a data product, even if a different product already contains them. If the input has no product, removes the
 * assets from all products that contain them according to the index. Rejects a product without a domain, because DataHub finds no
 * applicable privilege for it (BatchSetDataProductResolver.java).
 */
export const batchSetDataProduct: InputMutation<BatchSetInput> = ({ input }, context) => {
  const resources = input.resourceUrns.map(requireUrn);
  const product = optionalUrn(input.dataProductUrn);
  for (const urn of resources) requireExisting(urn, `${urn} in resources does not exist`, context);
  if (product === undefined) {
    for (const urn of resources) removeFrom(productsOf(urn, context), [urn], context);
    return true;
  }
  requireExisting(product, `Data Product urn ${product} does not exist`, context);
  if (stringsAt(context.store.latest(product, "domains")?.value, "domains").length === 0)
    throw unauthorized();
  addTo([product], resources, context);
  return true;
};

const disabled =
  "Multiple data products per asset feature is not enabled. Please contact your DataHub administrator.";

interface BatchInput {
  readonly dataProductUrns: readonly string[];
  readonly resourceUrns: readonly string[];
}

/** Adds assets to data products (BatchAddToDataProductsResolver.java). */
export const batchAddToDataProducts: InputMutation<BatchInput> = ({ input }, context) => {
  addTo(...checked(input, context), context);
  return true;
};

/** Removes assets from data products. Ignores assets that are not in a product (BatchRemoveFromDataProductsResolver.java). */
export const batchRemoveFromDataProducts: InputMutation<BatchInput> = ({ input }, context) => {
  removeFrom(...checked(input, context), context);
  return true;
};

function checked(
  { dataProductUrns, resourceUrns }: BatchInput,
  { store, isOneProductPerAsset }: RequestContext,
): [products: readonly string[], resources: readonly string[]] {
  if (isOneProductPerAsset) throw unauthorized(disabled);
  const resources = resourceUrns.map(requireUrn);
  const products = dataProductUrns.map(requireUrn);
  for (const urn of resources) if (!entityExists(store, urn)) throw missing(`resource ${urn}`);
  for (const urn of products) if (!entityExists(store, urn)) throw missing(`data product ${urn}`);
  return [products, resources];
}

function missing(what: string): Error {
  return serverError(`Failed to update data products, ${what} does not exist`);
}

function addTo(products: readonly string[], resources: readonly string[], context: RequestContext): void {
  const created = userStamp(context);
  changeAssets(products, context, (assets) => {
    const known = new Set(assets.map(({ destinationUrn }) => destinationUrn));
    const added = [...new Set(resources)].filter((urn) => !known.has(urn));
    return [
      ...assets,
      ...added.map((destinationUrn) => ({ destinationUrn, created, lastModified: created })),
    ];
  });
}

function removeFrom(
  products: readonly string[],
  resources: readonly string[],
  context: RequestContext,
): void {
  const removed = new Set<unknown>(resources);
  changeAssets(products, context, (assets) =>
    assets.filter(({ destinationUrn }) => !removed.has(destinationUrn)),
  );
}

function changeAssets(
  products: readonly string[],
  context: RequestContext,
  change: (assets: readonly JsonObject[]) => readonly JsonObject[],
): void {
  for (const urn of products) {
    const before = context.store.latest(urn, "dataProductProperties")?.value;
    const assets = change(objectsAt(before, "assets"));
    writeAsUser(context, urn, "dataProductProperties", { ...before, assets });
  }
}

function productsOf(urn: string, { index }: RequestContext): readonly string[] {
  const related = relatedTo(urn, "INCOMING", (type) => type === "DataProductContains", index);
  return related.map((each) => each.urn);
}

function requireProduct(text: string, { store }: RequestContext): string {
  const urn = requireUrn(text);
  if (!entityExists(store, urn)) throw badRequest("The Data Product provided dos not exist");
  return urn;
}

function requireExisting(urn: string, fault: string, { store }: RequestContext): void {
  if (!entityExists(store, urn)) throw serverError(`Failed to batch set Data Product, ${fault}`);
}
