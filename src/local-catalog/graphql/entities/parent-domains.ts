import type { AspectReader } from "../../store/aspect-reader.ts";
import { entitySource, type EntitySource } from "./source.ts";
import { stringAt } from "../../json.ts";

// DataHub's limit for a chain of parents (application.yaml, graphQL.query).
const maxParents = 50;

/** GraphQL's ParentDomainsResult: the chain of parents, nearest first. A cycle ends before its first repetition. */
export function parentDomains(urn: string, reader: AspectReader): object {
  const domains: EntitySource[] = [];
  const seen = new Set([urn]);
  let parent = stringAt(reader.aspect(urn, "domainProperties"), "parentDomain");
  while (parent !== null && !seen.has(parent) && domains.length < maxParents) {
    seen.add(parent);
    domains.push(entitySource(parent));
    parent = stringAt(reader.aspect(parent, "domainProperties"), "parentDomain");
  }
  return { count: domains.length, domains };
}
