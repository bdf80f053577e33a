import { stringAt } from "../../json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import { entitySource, type EntitySource } from "./source.ts";

// DataHub's limit for a chain of parents (application.yaml, graphQL.query).
const maxParents = 50;

/** GraphQL's ParentDomainsResult: the chain of parents, nearest first. A cycle ends before its first repetition. */
export function parentDomains(urn: string, reader: AspectReader): object {
  const domains = chainAbove(urn, (each) =>
    stringAt(reader.aspect(each, "domainProperties"), "parentDomain"),
  );
  return { count: domains.length, domains };
}

/** GraphQL's ParentContainersResult, as `parentDomains`. */
export function parentContainers(urn: string, reader: AspectReader): object {
  const containers = chainAbove(urn, (each) => stringAt(reader.aspect(each, "container"), "container"));
  return { count: containers.length, containers };
}

function chainAbove(urn: string, parentOf: (urn: string) => string | null): readonly EntitySource[] {
  const chain: EntitySource[] = [];
  const seen = new Set([urn]);
  let parent = parentOf(urn);
  while (parent !== null && !seen.has(parent) && chain.length < maxParents) {
    seen.add(parent);
    chain.push(entitySource(parent));
    parent = parentOf(parent);
  }
  return chain;
}
