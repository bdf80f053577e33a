import type { JsonObject } from "../../model/json.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import { stringAt } from "../json.ts";

/** Reads the latest value of an aspect. */
type Read = (urn: string, aspect: string) => JsonObject | undefined;

/** The aspect and field with the parent, by entity type (QueryExpansion in metadata-io). Other types are in containers. */
const parents: Readonly<Record<string, readonly [aspect: string, field: string]>> = {
  domain: ["domainProperties", "parentDomain"],
  glossaryTerm: ["glossaryTermInfo", "parentNode"],
  glossaryNode: ["glossaryNodeInfo", "parentNode"],
};

/** The entities above one, nearest first. A circle ends before its first repetition. */
export function ancestorsOf(urn: string, read: Read): readonly string[] {
  const seen = new Set<string>();
  for (let at: string | null = urn; at !== null && !seen.has(at); at = parentOf(at, read)) seen.add(at);
  return [...seen].slice(1);
}

/** Whether an entity is another one or below it. */
export function isWithin(urn: string, ancestor: string, read: Read): boolean {
  return urn === ancestor || ancestorsOf(urn, read).includes(ancestor);
}

function parentOf(urn: string, read: Read): string | null {
  const [aspect, field] = parents[entityTypeOfUrn(urn)?.name ?? ""] ?? ["container", "container"];
  return stringAt(read(urn, aspect), field);
}
