import type { JsonObject } from "../../../model/json.ts";
import type { AspectStore } from "../../store/aspect-store.ts";
import { stringAt } from "../../json.ts";

/** A domain with its properties. */
export interface StoredDomain {
  readonly urn: string;
  readonly properties: JsonObject;
}

/** The domains right under a parent; those at the root under null. */
export function childDomains(store: AspectStore, parent: string | null): readonly StoredDomain[] {
  const children: StoredDomain[] = [];
  store.eachLatestUnder("urn:li:domain:", "domainProperties", (urn, _aspect, properties) => {
    if (stringAt(properties, "parentDomain") === parent) children.push({ urn, properties });
  });
  return children;
}

/** Whether a domain has this name right under a parent, also when it is the very one that is asked for (DomainUtils.hasNameConflict). */
export function isNameTaken(store: AspectStore, name: string, parent: string | null): boolean {
  return childDomains(store, parent).some(({ properties }) => properties["name"] === name);
}

/** Whether a domain is another one or stands somewhere below it. */
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
