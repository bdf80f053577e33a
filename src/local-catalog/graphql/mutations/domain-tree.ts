import type { JsonObject } from "../../../model/json.ts";
import type { AspectStore } from "../../store/aspect-store.ts";
import { stringAt } from "../../json.ts";

/** A domain and its properties. */
export interface StoredDomain {
  readonly urn: string;
  readonly properties: JsonObject;
}

/** The children of a domain; of null the root domains. */
export function childDomains(store: AspectStore, parent: string | null): readonly StoredDomain[] {
  const children: StoredDomain[] = [];
  store.eachLatestUnder("urn:li:domain:", "domainProperties", (urn, _aspect, properties) => {
    if (stringAt(properties, "parentDomain") === parent) children.push({ urn, properties });
  });
  return children;
}

/** Whether a child of a domain has this name, including the domain that is to be changed (DomainUtils.hasNameConflict). */
export function isNameTaken(store: AspectStore, name: string, parent: string | null): boolean {
  return childDomains(store, parent).some(({ properties }) => properties["name"] === name);
}

/** Whether a domain is another one or one of its descendants. */
export function isWithin(store: AspectStore, urn: string, ancestor: string): boolean {
  const seen = new Set<string>();
  let current: string | null = urn;
  while (current !== null && !seen.has(current)) {
    if (current === ancestor) return true;
    seen.add(current);
    current = stringAt(store.latest(current, "domainProperties")?.value, "parentDomain");
  }
  return false;
}
