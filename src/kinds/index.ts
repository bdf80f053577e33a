/** Lists all kinds in the order in which their entities are written, and finds kinds and their nouns by name or entity type. */

import { entityTypeOf, type Urn } from "../model/urn.ts";
import { container } from "./container.ts";
import { chart } from "./chart.ts";
import { dashboard } from "./dashboard.ts";
import { dataFlow } from "./data-flow.ts";
import { dataJob } from "./data-job.ts";
import { mlModel } from "./ml-model.ts";
import { mlModelGroup } from "./ml-model-group.ts";
import { mlFeatureTable } from "./ml-feature-table.ts";
import { dataProduct } from "./data-product.ts";
import { dataset } from "./dataset.ts";
import { domain } from "./domain.ts";
import { glossaryNode } from "./glossary-node.ts";
import { glossaryTerm } from "./glossary-term.ts";
import { group } from "./group.ts";
import type { Kind } from "./kind.ts";
import { structuredProperty } from "./structured-property.ts";
import { tag } from "./tag.ts";
import { user } from "./user.ts";

const list = [
  domain,
  tag,
  glossaryNode,
  glossaryTerm,
  structuredProperty,
  user,
  group,
  dataProduct,
  dataset,
  container,
  chart,
  dashboard,
  dataFlow,
  dataJob,
  mlModel,
  mlModelGroup,
  mlFeatureTable,
] as const;

/** The names of all kinds. */
export type KnownKind = (typeof list)[number]["name"];

/**
 * All kinds. Each kind precedes the kinds that refer to it. To add a kind, create a file in this folder and add the kind to
 * `list`.
 */
export const kinds: readonly Kind<KnownKind>[] = list;

const byName: ReadonlyMap<string, Kind<KnownKind>> = new Map(kinds.map((kind) => [kind.name, kind]));

const ranks: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, rank) => [name, rank]));

/** Returns the kind with this name, or `undefined` if there is none. */
export function findKind(name: string): Kind<KnownKind> | undefined {
  return byName.get(name);
}

/** Returns the kind with this name. Throws if there is none. */
export function kindOf(name: string): Kind<KnownKind> {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no kind is named ${name}`);
  return kind;
}

/** Returns the kind for an entity type, or `undefined` if manifests cannot declare entities of that type. */
export function kindOfType(entityType: string): Kind<KnownKind> | undefined {
  return kinds.find((kind) => kind.entityType === entityType);
}

/** Returns the kind of an entity, or `undefined` if manifests cannot declare entities of its type. */
export function kindOfUrn(urn: Urn): Kind<KnownKind> | undefined {
  return kindOfType(entityTypeOf(urn));
}

/** Returns the noun for entities of a kind. Returns the name itself if there is no such kind, for example for ownership types. */
export function nounOf(name: string): string {
  return findKind(name)?.noun ?? name;
}

/** Returns the noun for entities of a type. If the type has no kind, returns the type's name as separate words. */
export function nounOfType(entityType: string): string {
  return kindOfType(entityType)?.noun ?? entityType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns a kind's plural noun. */
export function pluralOf(name: string): string {
  return findKind(name)?.plural ?? `${name}s`;
}

/** Returns a kind's position in `kinds`. Entities are written in that order. */
export function rankOf(name: string): number {
  return ranks.get(name) ?? kinds.length;
}

/** The kinds whose entities are created, updated and deleted according to manifests. */
export const definitionKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ lifecycle }) => lifecycle === "owned",
);

/** The kinds whose entities `--prune` deletes by default. */
export const prunedByDefault: readonly Kind<KnownKind>[] = definitionKinds.filter(
  ({ deletion }) => deletion?.byDefault,
);

/** The kinds whose entities are assets, which rules can match. */
export const assetKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ matchedBy }) => matchedBy !== undefined,
);

/** The kind for containers, which contain assets and other containers. */
export const containerKind: Kind<KnownKind> = container;

/** Whether manifests can create entities of a kind, not only enrich existing entities. */
export function isDefinitionKind(name: string): boolean {
  return kindOf(name).lifecycle === "owned";
}

/** Whether entities of a type are assets, which manifests never create. */
export function isAssetType(entityType: string): boolean {
  return assetKinds.some((kind) => kind.entityType === entityType);
}
