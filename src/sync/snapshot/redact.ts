/** Replaces personal data in snapshots with hashes, and restores the values that manifests declare. */

import { keepDigits, parseJson, stringifyWithDigits } from "../../datahub/json-text.ts";
import { kinds } from "../../kinds/index.ts";
import { compareText, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Rule } from "../../model/rule.ts";
import type { State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { sha256 } from "../../plan/base/hash.ts";
import { isIterable, textsDeep } from "./mentioned.ts";
import type { Snapshot, SnapshotEntry } from "./snapshot.ts";

// The @ sign may be encoded in URNs and links, and names may contain an apostrophe.
const emailAddress = /(?:[^\s:;,()<>"'\\/@]|(?<=\p{L})'(?=\p{L}))+(?:@|%40)[^\s:;,()<>"'\\/@]+/gu;
const token = /redacted-[0-9a-f]{16}/g;

/** The user aspects that contain only personal values. */
const personal: ReadonlySet<string> = new Set(
  kinds
    .filter(({ isPerson }) => isPerson)
    .flatMap(({ storage }) => Object.values(storage).map(([aspect]) => aspect)),
);

/** Functions that replace strings in all aspects and numbers in personal aspects. */
interface Replace {
  readonly text: (text: string, isPersonal: boolean) => string;
  readonly number: (value: number) => number;
}

/**
 * Replaces personal data with hashes: user profiles, including numbers, and all e-mail addresses, including those in URNs. Equal
 * values have equal hashes. The salt is in the snapshot, so anyone can verify a guessed value. Redaction therefore protects only
 * against casual readers.
 */
export function redacted(snapshot: Snapshot): Snapshot {
  const hashed = hashing(snapshot);
  const replace: Replace = {
    text: (text, isPersonal) => {
      if (!isPersonal || isUrn(text) || text.trim() === "")
        return text.replaceAll(emailAddress, (address) => hashed(address));
      return isKeptNumber(text) ? largeNumberFrom(hashed(text)) : hashed(text.trim());
    },
    number: (value) => numberFrom(hashed(String(value))),
  };
  return { ...replacedIn(snapshot, replace), redacted: true };
}

/**
 * Replaces hashes with the values that states or rules declare, and with the given strings. A rule that matches part of an e-mail
 * address does not match the hash of the address.
 */
export function revealed(snapshot: Snapshot, declared: readonly (State | Rule | string)[]): Snapshot {
  if (snapshot.redacted !== true) return snapshot;
  const hashed = hashing(snapshot);
  const texts = new Set(
    textsDeep(declared).flatMap((text) => [
      text.trim(),
      ...Array.from(text.matchAll(emailAddress), ([address]) => address),
    ]),
  );
  const textByHash = new Map([...texts].map((text) => [hashed(text), text]));
  const numbers = new Map(numbersDeep(declared).map((each) => [numberFrom(hashed(String(each))), each]));
  return replacedIn(snapshot, {
    text: (text) => text.replaceAll(token, (hash) => textByHash.get(hash) ?? hash),
    number: (value) => numbers.get(value) ?? value,
  });
}

// Converts a hash to a number, because a string would be invalid in place of a number. The result is below 2^48, so JavaScript
// represents it exactly.
function numberFrom(hash: string): number {
  return Number.parseInt(hash.slice(-12), 16);
}

// Replaces a number that JavaScript cannot represent exactly with a number of similar size. Both are then parsed in the same way.
function largeNumberFrom(hash: string): string {
  return keepDigits(String(numberFrom(hash)).padStart(20, "9"));
}

function numbersDeep(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (isIterable(value)) return [...value].flatMap(numbersDeep);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersDeep) : [];
}

function isKeptNumber(text: string): boolean {
  return text.startsWith(keepDigits(""));
}

function hashing({ target, createdAt }: Snapshot): (text: string) => string {
  return (text) => `redacted-${sha256([target, createdAt, text]).slice(0, 16)}`;
}

function replacedIn(snapshot: Snapshot, replace: Replace): Snapshot {
  const replacedUrn = (urn: string): string => replace.text(urn, false);
  const replacedUrns = (urns: readonly string[]): readonly string[] => urns.map(replacedUrn);
  const entities = Object.entries(snapshot.entities).map(([urn, entry]): readonly [string, SnapshotEntry] => [
    replacedUrn(urn),
    replaced(entry as unknown as JsonObject, replace) as unknown as SnapshotEntry,
  ]);
  const found = snapshot.found?.map(({ type, anyOf, urns }) => ({
    type,
    anyOf: replaced(anyOf, replace) as unknown as typeof anyOf,
    urns: replacedUrns(urns),
  }));
  const definitions = snapshot.definitions.map(({ type, urns, softDeleted }) => ({
    type,
    urns: replacedUrns(urns),
    softDeleted: replacedUrns(softDeleted),
  }));
  return {
    ...snapshot,
    ...(found && { found }),
    definitions,
    entities: Object.fromEntries(entities.toSorted(([a], [b]) => compareText(a, b))),
  };
}

function replaced(value: Json | undefined, replace: Replace, isPersonal = false): Json {
  if (typeof value === "string") return replace.text(value, isPersonal);
  if (typeof value === "number" && isPersonal) return replace.number(value);
  if (isJsonList(value)) return value.map((each) => replaced(each, replace, isPersonal));
  if (!isJsonObject(value)) return value ?? null;
  const { aspectName, payload } = value;
  if (typeof aspectName === "string" && typeof payload === "string")
    return { aspectName, payload: replacedPayload(payload, replace, personal.has(aspectName)) };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      replaced(each, replace, isPersonal || personal.has(key)),
    ]),
  );
}

// Replaces each value in a payload. If the payload is not JSON, replaces all of it as a single string. Readers report such a payload
// as malformed.
function replacedPayload(payload: string, replace: Replace, isPersonal: boolean): string {
  try {
    return stringifyWithDigits(replaced(parseJson(payload, keepDigits) as Json, replace, isPersonal));
  } catch {
    return replace.text(payload, isPersonal);
  }
}
