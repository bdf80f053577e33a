/** Finds ancestors of domains, glossary entities, and entities in containers. */

import { entityTypeOfUrn } from "../registry/entity-types.ts";
import { stringAt } from "../json.ts";
import type { AspectReader } from "./aspect-reader.ts";

/**
 * The aspect and field that contain the parent, keyed by entity type (QueryExpansion in metadata-io). Entities of all other types
 * have containers as parents.
 */
const parents: Readonly<Record<string, readonly [aspect: string, field: string]>> = {
  domain: ["domainProperties", "parentDomain"],
  glossaryTerm: ["glossaryTermInfo", "parentNode"],
  glossaryNode: ["glossaryNodeInfo", "parentNode"],
};

/** Returns an entity's ancestors, nearest first. In a cycle, each entity occurs once. */
export function ancestorsOf(urn: string, reader: AspectReader): readonly string[] {
  const seen = new Set<string>();
  for (let at: string | null = urn; at !== null && !seen.has(at); at = parentOf(at, reader)) seen.add(at);
  return [...seen].slice(1);
}

/** Whether an entity is `ancestor` or one of its descendants. */
export function isWithin(urn: string, ancestor: string, reader: AspectReader): boolean {
  return urn === ancestor || ancestorsOf(urn, reader).includes(ancestor);
}

function parentOf(urn: string, reader: AspectReader): string | null {
  const [aspect, field] = parents[entityTypeOfUrn(urn)?.name ?? ""] ?? ["container", "container"];
  return stringAt(reader.aspect(urn, aspect), field);
}
