/** Lists all kinds in the order of writes, and finds them, and the nouns for them, by name, entity type and role. */

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

/** All kinds. Kinds that others refer to come first. A new one is a file in this folder and a name in this list. */
export const kinds: readonly Kind<KnownKind>[] = list;

const byName: ReadonlyMap<string, Kind<KnownKind>> = new Map(kinds.map((kind) => [kind.name, kind]));

const ranks: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, rank) => [name, rank]));

/** The kind of that name; `undefined` if there is none. */
export function findKind(name: string): Kind<KnownKind> | undefined {
  return byName.get(name);
}

/** The kind of that name. Throws if there is none. */
export function kindOf(name: string): Kind<KnownKind> {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no kind is named ${name}`);
  return kind;
}

/** The kind whose URNs have that entity type; `undefined` if manifests cannot declare entities of that type. */
export function kindOfType(entityType: string): Kind<KnownKind> | undefined {
  return kinds.find((kind) => kind.entityType === entityType);
}

/** The noun for an entity of a kind. A type without a kind, such as an ownership type, keeps its name. */
export function nounOf(name: string): string {
  return findKind(name)?.noun ?? name;
}

/** The noun for an entity of a type, or the words of the type if it has no kind. */
export function nounOfType(entityType: string): string {
  return kindOfType(entityType)?.noun ?? entityType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The plural noun for a kind. */
export function pluralOf(name: string): string {
  return findKind(name)?.plural ?? `${name}s`;
}

/** The position of a kind in the order of writes. */
export function rankOf(name: string): number {
  return ranks.get(name) ?? kinds.length;
}

/** The kinds that manifests create, update and delete. */
export const definitionKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ lifecycle }) => lifecycle === "owned",
);

/** The kinds that `--prune` deletes if the settings name none. */
export const prunedByDefault: readonly Kind<KnownKind>[] = definitionKinds.filter(
  ({ deletion }) => deletion?.byDefault,
);

/** The kinds of assets: observed entities, which rules can match. */
export const assetKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ matchedBy }) => matchedBy !== undefined,
);

/** The kind that contains assets and itself. */
export const containerKind: Kind<KnownKind> = container;

/** Whether manifests create entities of a kind, and not only enrich them. */
export function isDefinitionKind(name: string): boolean {
  return kindOf(name).lifecycle === "owned";
}

/** Whether entities of a type are assets: observed, and never created by manifests. */
export function isAssetType(entityType: string): boolean {
  return assetKinds.some((kind) => kind.entityType === entityType);
}
