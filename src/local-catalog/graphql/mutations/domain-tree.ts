import type { JsonObject } from "../../../model/json.ts";
import type { AspectReader } from "../../store/aspect-reader.ts";
import { stringAt } from "../../json.ts";

/** A domain and its properties. */
export interface StoredDomain {
  readonly urn: string;
  readonly properties: JsonObject;
}

/** The children of a domain, as far as the index knows; of null the root domains. */
export function childDomains(index: AspectReader, parent: string | null): readonly StoredDomain[] {
  const domains = [...index.aspectUnder("urn:li:domain:", "domainProperties")];
  return domains
    .filter(([, properties]) => stringAt(properties, "parentDomain") === parent)
    .map(([urn, properties]) => ({ urn, properties }));
}

/** Whether a child of a domain has this name, including the domain that is to be changed (DomainUtils.hasNameConflict). */
export function isNameTaken(index: AspectReader, name: string, parent: string | null): boolean {
  return childDomains(index, parent).some(({ properties }) => properties["name"] === name);
}
