/** Reads the facts that rules and policies use to match assets, so that a snapshot contains them. */

import type { Reader } from "../../datahub/client.ts";
import { isOfColumns } from "../../facets/places.ts";
import { assetKinds, kindOf, kindOfUrn } from "../../kinds/index.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { readAssets, readAssetsAt } from "../read/assets.ts";
import { containersIn } from "../read/assets/containers.ts";
import { columnsDocument, containerIn, factsDocument } from "../read/assets/facts.ts";
import { anyColumn, inContainer } from "../read/assets/index-filters.ts";
import { discover } from "../read/discover.ts";
import { questionOf } from "../read/question.ts";
import { readBatches, type ReadOptions } from "../read/read-batches.ts";
import type { Recorder } from "./recorder.ts";
import type { SnapshotScope } from "./scope.ts";
import type { SnapshotEntry } from "./snapshot.ts";

/** Reads the facts that policies use for matching, for all entities of the kinds to which the policies apply. */
export async function readPolicyFacts(
  reader: Reader,
  { judged = [] }: SnapshotScope,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const all: Urn[] = [];
  for (const name of judged) {
    const kind = kindOf(name);
    const question = { kind: name, conditions: [inContainer], exclusions: [], columns: [anyColumn] };
    for await (const { urns } of discover(reader, { kind }, options.signal)) {
      if (kind.matchedBy) await readAssetsAt(reader, { kind, urns }, [question], options);
      appendTo(all, urns);
    }
  }
  return all;
}

/**
 * Reads the facts that rules use for matching, for declared assets and for assets that the index finds for the rules. Returns the
 * assets that match at least one rule.
 */
export async function readMatched(
  { reader, entries }: Recorder,
  { desired, deciding: { rules, holds } }: SnapshotScope,
  options: ReadOptions,
): Promise<readonly Urn[]> {
  const matched: Urn[] = [];
  const assetOptions = { ...options, holds, withDormant: true, columnsApart: true };
  for await (const { assets, dormant } of readAssets(reader, rules, assetOptions)) {
    for (const asset of [...assets, ...dormant])
      if (rules.some((rule) => rule.kind === asset.kind && holds(rule, asset))) matched.push(asset.urn);
  }
  const unanswered = (query: string, entities: readonly Entity[]): readonly Urn[] =>
    entities.map(({ urn }) => urn).filter((urn) => entries.get(urn)?.answers[query] === undefined);
  for (const kind of assetKinds) {
    const own = [...desired.state.values()].filter((entity) => entity.kind === kind.name);
    const questions = [
      questionOf(unanswered("ReadAssetFacts", own), factsDocument(kind)),
      questionOf(unanswered("ReadAssetColumns", own.filter(declaresColumns)), columnsDocument(kind, true)),
    ];
    await readBatches(reader, questions, options, () => {});
  }
  await containersIn(reader, options).learn([...entries].flatMap(([urn, entry]) => containerOf(urn, entry)));
  return matched;
}

function declaresColumns({ facets: declared }: Entity): boolean {
  return [...declared.keys()].some(isOfColumns);
}

function containerOf(urn: Urn, { answers }: SnapshotEntry): readonly Urn[] {
  const entity = answers["ReadAssetFacts"]?.entity;
  const kind = kindOfUrn(urn);
  if (!isJsonObject(entity) || !kind) return [];
  try {
    return [containerIn(kind, entity) ?? []].flat();
  } catch (error) {
    // Ignore `CatalogError`, because a plan from the snapshot reports the same error.
    asCatalogError(error);
    return [];
  }
}
