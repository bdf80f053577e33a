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

/** Every kind by rank: what others refer to comes first. A new one is a file in this folder and a name in this list. */
export const kinds: readonly Kind<KnownKind>[] = list;

const byName: ReadonlyMap<string, Kind<KnownKind>> = new Map(kinds.map((kind) => [kind.name, kind]));

const ranks: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, rank) => [name, rank]));

/** The kind of that name; `undefined` for a string that names none. */
export function findKind(name: string): Kind<KnownKind> | undefined {
  return byName.get(name);
}

/** The kind of that name. */
export function kindOf(name: string): Kind<KnownKind> {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no kind is named ${name}`);
  return kind;
}

/** The kind whose URNs have that entity type; `undefined` for a type that manifests cannot declare. */
export function kindOfType(entityType: string): Kind<KnownKind> | undefined {
  return kinds.find((kind) => kind.entityType === entityType);
}

/** What an entity of a kind is called; of a type without a kind, such as an ownership type, its own name. */
export function nounOf(name: string): string {
  return findKind(name)?.noun ?? name;
}

/** What an entity of a type is called; the words of the type where it is that of no kind. */
export function nounOfType(entityType: string): string {
  return kindOfType(entityType)?.noun ?? entityType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** What several entities of a kind are called. */
export function pluralOf(name: string): string {
  return findKind(name)?.plural ?? `${name}s`;
}

/** The place of a kind in the order in which kinds are written. */
export function rankOf(name: string): number {
  return ranks.get(name) ?? kinds.length;
}

/** The kinds that manifests define: their entities are created and kept, not only enriched. */
export const definitionKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ lifecycle }) => lifecycle === "owned",
);

/** The kinds that `--prune` deletes where the settings name none. */
export const prunedByDefault: readonly Kind<KnownKind>[] = definitionKinds.filter(
  ({ deletion }) => deletion?.byDefault,
);

/** The kinds of what is only observed: assets, which rules can match. */
export const assetKinds: readonly Kind<KnownKind>[] = kinds.filter(
  ({ matchedBy }) => matchedBy !== undefined,
);

/** The kind of what assets are in, one in the other. */
export const containing: Kind<KnownKind> = container;

/** Whether entities of a kind are definitions: created and kept by manifests, not only enriched. */
export function isDefinitionKind(name: string): boolean {
  return kindOf(name).lifecycle === "owned";
}

/** Whether entities of a type are assets: they are observed, and no manifest makes one. */
export function isAssetType(entityType: string): boolean {
  return assetKinds.some((kind) => kind.entityType === entityType);
}
