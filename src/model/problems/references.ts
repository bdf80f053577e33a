/** Defines the problems with references and parents. */

import { alice, pii } from "./samples.ts";
import { choice, code, cycleOf, namedText, type Misspelled, withArticle } from "./text.ts";
import { entityTypeOf, isUrn, plainKeyOf, type Urn } from "../urn.ts";
import { problem, type Words } from "./problem.ts";

/** The arguments of a problem with a reference to an entity. */
export type Reference = Misspelled & {
  urn: string;
  what: string;
  /** The ids of the entities whose display name equals the text of the reference. */
  named?: readonly string[];
  /** The number of references, if there are several. */
  times?: number;
  /** The first few of the other positions that contain the same reference, as "file:line:column". */
  also?: readonly string[];
};

export const referenceProblems = {
  /** A URN has the wrong entity type: for example, the URN of a user where a tag is expected. */
  "wrong-reference": problem({
    message: ({ text, expected }: { text: string; expected: string; field: string }, { nounOfType }: Words) =>
      expected === "asset"
        ? `${code(text)} is not the URN of an asset, such as a dataset, a chart or a data job`
        : `${code(text)} is not the URN of ${withArticle(nounOfType(expected))}: it must begin with \`urn:li:${expected}:\``,
    samples: [
      { text: alice, expected: "corpGroup", field: "owners[0].group" },
      { text: alice, expected: "asset", field: "assets[0]" },
    ],
  }),
  /**
   * An ownership type looks like one of DataHub's built-in types but is not one: it is in upper case, or is a different spelling
   * of a built-in type, such as `Data Steward`.
   */
  "unknown-ownership-type": problem({
    message: ({ text }: Misspelled & { text: string; field: string }) =>
      `unknown ownership type ${code(text)}: for a custom type with that name, write \`urn:li:ownershipType:${text}\``,
    samples: [{ field: "owners[0]", text: "OWNER" }],
  }),
  /** The ownership type is `CUSTOM`, which does not identify a type. */
  "custom-ownership-type": problem<{ text: string; field: string }>({
    message: "`CUSTOM` does not identify an ownership type: write the id or URN of the type",
    samples: [{ field: "owners[0]", text: "CUSTOM" }],
  }),
  /** An entity is its own ancestor: the declared parents form a cycle. */
  "parent-cycle": problem({
    message: ({ cycle }: { cycle: readonly string[] }, words: Words) =>
      `the parents of these ${pluralIn(cycle, words)} form a cycle: ${cycleOf(cycle)}; change one of the parents`,
    samples: [{ cycle: ["urn:li:domain:a", "urn:li:domain:b", "urn:li:domain:a"] }],
  }),
  /** An entity refers to itself in a field that can only refer to other entities, or terms inherit from each other in a cycle. */
  "self-reference": problem({
    message: (
      {
        facet,
        kind,
        urn,
        by = [],
      }: {
        facet: string;
        kind: string;
        urn: string;
        /** The other entities in the cycle; absent if the entity refers to itself directly. */
        by?: readonly string[];
      },
      { nounOf, pluralOf }: Words,
    ) =>
      by.length === 0
        ? `${nounOf(kind)} ${code(urn)} lists itself under ${code(facet)}: remove this reference`
        : `${pluralOf(kind)} form a cycle through ${code(facet)}: ${cycleOf([urn, ...by, urn])}; remove one of these references`,
    samples: [
      { facet: "inherits", kind: "GlossaryTerm", urn: "urn:li:glossaryTerm:revenue" },
      {
        facet: "inherits",
        kind: "GlossaryTerm",
        urn: "urn:li:glossaryTerm:a",
        by: ["urn:li:glossaryTerm:b"],
      },
    ],
  }),
  /**
   * Two structured properties whose ids differ only in dots and underscores would share a field in DataHub's search index. Both
   * places are reported.
   */
  "same-name": problem({
    message: (
      {
        kind,
        urn,
        other,
        what,
        way,
      }: { kind: string; urn: string; other: string; what: string; way: string },
      { nounOf }: Words,
    ) => `${nounOf(kind)} ${code(urn)} has the same ${what} as ${code(other)}: ${way}`,
    samples: [
      {
        kind: "StructuredProperty",
        urn: "urn:li:structuredProperty:acme_days",
        other: "urn:li:structuredProperty:acme.days",
        what: "field in DataHub's search index",
        way: "rename one of them, or declare a `version` (a 14-digit timestamp) for one of them",
      },
    ],
  }),
  /**
   * Warning: a manifest refers to an entity that no manifest declares, while other entities of that kind are declared. The
   * reference may be misspelled, or the entity may exist only in the catalog.
   */
  "undeclared-reference": problem({
    message: (
      {
        kind,
        id,
        times,
        named,
      }: Misspelled & {
        kind: string;
        id: string;
        times: number;
        /** The ids of the declared entities whose display name equals the text of the reference. */
        named?: readonly string[] | undefined;
      },
      words: Words,
    ) =>
      `${words.nounOf(kind)} ${code(id)} is not declared in these manifests${times > 1 ? ` (${times} references)` : ""}${
        named ? `; ${namedText(kind, id, named, words)}` : ""
      }`,
    trait: "undeclared",
    samples: [
      { kind: "Tag", id: "piii", times: 1 },
      { kind: "Tag", id: "piii", times: 3 },
      { kind: "Tag", id: "Personal data", times: 1, named: ["pii"], suggestion: "pii" },
    ],
  }),
  /**
   * Warning: manifests refer to many entities of one kind that no manifest declares. A single warning without a file position
   * reports all of them.
   */
  "undeclared-references": problem({
    message: (
      { kind, count, ids }: { kind: string; count: number; ids: readonly string[] },
      { pluralOf }: Words,
    ) =>
      `${count} ${pluralOf(kind)} are referenced but have no manifest: ${choice(ids, 5).replace(/ or (?=`[^`]*`$)/, ", ")}${
        count > ids.length ? ", …" : ""
      }; this is fine if they exist in the catalog, which \`plan\` checks before it adds a reference`,
    trait: "undeclared",
    samples: [{ kind: "Tag", count: 7, ids: ["a", "b", "c", "d", "e"] }],
  }),
  /**
   * Parents would form a cycle if only the selection were applied. The full plan avoids the cycle, because it also moves an
   * entity that is not selected.
   */
  "cyclic-selection": problem({
    message: ({ cycle }: { cycle: readonly string[] }, words: Words) =>
      `if only the selection were applied, the parents of these ${pluralIn(cycle, words)} would form a cycle: ${cycleOf(cycle)}; select these ${pluralIn(cycle, words)} together, or apply the full plan`,
    samples: [{ cycle: ["urn:li:domain:a", "urn:li:domain:b", "urn:li:domain:a"] }],
  }),
  /**
   * Warning: a manifest refers to a definition that the base declares but the manifests no longer declare. The definition is
   * still in the catalog, for example halfway through a rename.
   */
  "no-longer-declared": problem({
    message: ({ urn }: { urn: string }) =>
      `this manifest refers to ${code(urn)}, which is in the catalog but no longer declared: refer to its replacement, or declare it again`,
    samples: [{ urn: pii }],
  }),
  /** A manifest adds a reference to an entity that does not exist in the catalog and that no manifest declares. */
  "reference-missing": problem({
    message: missingReference,
    trait: "absent-reference",
    samples: [
      { urn: pii, what: "Tag", id: "pii" },
      { urn: pii, what: "Tag" },
      { urn: pii, what: "Tag", times: 300 },
      { urn: pii, what: "Tag", id: "pii", times: 2, also: ["catalog/b.yaml:4:2"] },
      { urn: pii, what: "Tag", id: "pii", times: 9, also: ["catalog/b.yaml:4:2", "catalog/c.yaml:4:2"] },
      { urn: "urn:li:tag:Personal %28EU%29", what: "Tag", named: ["pii"], suggestion: "pii" },
      { urn: "urn:li:ownershipType:Architect", what: "ownership type", named: ["a", "b"] },
    ],
  }),
  /** A manifest adds a reference to an entity that is soft-deleted in the catalog. */
  "reference-removed": problem({
    message: ({ what, urn, ...referred }: Reference, { nounOf }: Words) =>
      `${nounOf(what)} ${code(urn)} is soft-deleted in the catalog${timesText(referred)}: restore it there, or remove the reference`,
    trait: "soft-deleted-reference",
    samples: [
      { urn: pii, what: "Tag" },
      { urn: pii, what: "Tag", times: 2, also: ["catalog/b.yaml:4:2"] },
    ],
  }),
};

/** Describes a missing entity. `id` is the id that a manifest would declare; absent if no manifest can declare the entity. */
function missingReference(args: Reference & { id?: string | undefined }, words: Words): string {
  const { what, urn, id } = args;
  const fault = `${words.nounOf(what)} ${code(urn)} does not exist in the catalog${timesText(args)}`;
  const found = namedIn(args, words);
  if (found !== undefined) return `${fault}: ${found}`;
  if (id === undefined) return `${fault}: correct the reference, or create the entity first`;
  const manifest = `${code(`kind: ${what}`)}, ${code(`id: ${id}`)}`;
  return `${fault}, and no manifest declares it: declare it (${manifest}), or correct the reference`;
}

/** Returns a string with the number of references and the other positions; empty for a single reference. */
function timesText({ times = 1, also = [] }: { times?: number; also?: readonly string[] }): string {
  if (times === 1) return "";
  const more = also.length > 0 && also.length + 1 < times ? ", …" : "";
  const places = also.length === 0 ? "" : `, also at ${also.map(code).join(", ")}${more}`;
  return ` (${times} references${places})`;
}

/** Returns a string that suggests the entities whose display name equals the text of the reference, if there are any. */
export function namedIn({ what, urn, named }: Reference, words: Words): string | undefined {
  return named && namedText(what, plainKeyOf(urn as Urn), named, words);
}

/** Returns the plural noun for the entities in a cycle. */
function pluralIn([first]: readonly string[], { pluralOfType }: Words): string {
  return isUrn(first) ? pluralOfType(entityTypeOf(first)) : "entities";
}
