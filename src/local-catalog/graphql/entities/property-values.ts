/** Converts user properties, custom properties, audit stamps, strings and references in aspects to GraphQL values. */

import type { JsonObject } from "../../../model/json.ts";
import { numberAt, objectAt, stringAt } from "../../json.ts";
import { entitySource } from "./source.ts";

/** Converts a `corpUserInfo` aspect to GraphQL's CorpUserProperties and CorpUserInfo. */
export function userValue(value: JsonObject, urn: string): object {
  return {
    active: value["active"] === true,
    ...stringFields(value, ["displayName", "email", "title", "departmentName"]),
    ...stringFields(value, ["firstName", "lastName", "fullName", "countryCode"]),
    manager: entityAt(value, "managerUrn"),
    departmentId: numberAt(value, "departmentId"),
    customProperties: customProperties(value, urn),
  };
}

/** Returns an aspect's strings at the given keys, with null for missing strings. */
export function stringFields(
  value: JsonObject,
  keys: readonly string[],
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(keys.map((key) => [key, stringAt(value, key)]));
}

/** Converts an aspect's custom properties to GraphQL's list of CustomPropertiesEntry objects. */
export function customProperties(value: JsonObject, associatedUrn: string): readonly object[] {
  return entriesAt(value, "customProperties").map((entry) => ({ ...entry, associatedUrn }));
}

/** Converts the map at a key to a list of key-value pairs. */
export function entriesAt(value: JsonObject, key: string): readonly object[] {
  return Object.entries(objectAt(value, key) ?? {}).map(([name, text]) => ({ key: name, value: text }));
}

/** Converts the audit stamp at a key to GraphQL's AuditStamp. Returns null if there is no stamp. */
export function stampAt(value: JsonObject, key: string): object | null {
  const stamp = objectAt(value, key);
  return stamp ? { time: numberAt(stamp, "time") ?? 0, actor: stringAt(stamp, "actor") } : null;
}

/** Converts an audit stamp to GraphQL's ResolvedAuditStamp. Returns null if there is no stamp. */
export function createdOn(stamp: JsonObject | undefined): object | null {
  const time = numberAt(stamp, "time");
  return time === null ? null : { time, actor: entityAt(stamp, "actor") };
}

/** Returns the source object for the entity whose URN is at a key, or null if there is no URN. */
export function entityAt(value: JsonObject | undefined, key: string): object | null {
  const urn = stringAt(value, key);
  return urn === null ? null : entitySource(urn);
}
