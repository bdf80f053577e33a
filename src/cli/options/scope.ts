/** Defines the options that select entities (patterns, kinds, platforms, domains, shards), and matches URNs against patterns. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { facets } from "../../facets/index.ts";
import { urnOfId } from "../../model/identifier.ts";
import type { Shard } from "../../model/plan.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { matching } from "../../plan/align/select.ts";
import { parseKind } from "./names.ts";

/** The parsed options. An entity is selected if it matches at least one value of each given option, and no value of `exclude`. */
export interface NarrowingOptions {
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly kind?: readonly string[];
  readonly platform?: readonly string[];
  readonly domain?: readonly string[];
}

/** Creates the options that select entities by pattern. */
export function patternOptions(): readonly Option[] {
  return [
    new Option(
      "--target <pattern>",
      "only entities whose URN, name or id matches; `*` is a wildcard (repeatable)",
    ).argParser(collect),
    new Option("--exclude <pattern>", "skip entities whose URN, name or id matches (repeatable)").argParser(
      collect,
    ),
  ];
}

/** Returns a predicate that is true for the URNs selected by the patterns, or `undefined` if there are no patterns. */
export function selectionBy({
  target: targets,
  exclude: excluded,
}: NarrowingOptions): ((urn: Urn) => boolean) | undefined {
  if (targets === undefined && excluded === undefined) return undefined;
  const isTarget = targets && matching(targets);
  const isExcluded = excluded && matching(excluded);
  return (urn) => isTarget?.(urn) !== false && isExcluded?.(urn) !== true;
}

/**
 * Adds the options that select entities. `assignedText` is the help text for `--domain`, and states whether domains are read from
 * the manifests or from the catalog.
 */
export function addNarrowingOptions(command: Command, assignedText: string): Command {
  for (const option of patternOptions()) command.addOption(option);
  return command
    .option("--kind <kind>", "only entities of this kind, such as Dataset (repeatable)", parseKind)
    .option("--platform <id>", "only assets on this data platform (repeatable)", collect)
    .option("--domain <id>", assignedText, parseDomain);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Parses the id, URN or display name of a domain. Only a URN can be checked without the catalog. */
function parseDomain(text: string, before: readonly string[] = []): readonly string[] {
  if (!isUrn(text) || "urn" in urnOfId(placementType, text)) return [...before, text];
  throw new InvalidArgumentError("It is not the URN of a domain.");
}

const [placementType = ""] = facets.find(({ isPlacement }) => isPlacement)?.refersTo ?? [];

/** Creates the option that selects a shard. */
export function shardOption(): Option {
  return new Option("--shard <i/n>", "only shard i of n, such as 1/4").argParser(parseShard);
}

function parseShard(text: string): Shard {
  const [, index, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index <= shard.of) return shard;
  throw new InvalidArgumentError(
    "Use the shard number, starting at 1, and the number of shards, such as 1/4.",
  );
}
