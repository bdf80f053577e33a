/** Defines the problems with assets, and with their columns and values in the catalog. */

import { orders } from "./samples.ts";
import { all, choice, code, type Misspelled } from "./text.ts";
import { notViewable } from "../restricted.ts";
import { problem, type Words } from "./problem.ts";

type Asset = { kind: string; urn: string };

type Column = Misspelled & { urn: string; column: string; candidates: readonly string[] };

export const assetProblems = {
  /** A declared asset does not exist in the catalog. */
  "asset-missing": problem({
    message: ({ kind, urn }: Asset & { suggestion?: string }, { nounOf }: Words) =>
      `${nounOf(kind)} ${code(urn)} does not exist in the catalog: correct its name, or ingest it first`,
    trait: "absent-asset",
    samples: [{ kind: "Dataset", urn: orders }],
  }),
  /** A declared asset is soft-deleted in the catalog. */
  "asset-removed": problem({
    message: ({ kind, urn }: Asset, { nounOf }: Words) =>
      `${nounOf(kind)} ${code(urn)} is soft-deleted in the catalog: restore it there, or remove it from the manifests`,
    trait: "soft-deleted-asset",
    samples: [{ kind: "Dataset", urn: orders }],
  }),
  /** A declared column does not exist in the catalog. */
  "column-unknown": problem({
    message: (args: Column) => `${code(args.urn)} has no column ${code(args.column)}${columnsOf(args)}`,
    trait: "gone-column",
    samples: [{ urn: orders, column: "emial", candidates: ["email", "id"] }],
  }),
  /** The simple name of a column matches several field paths. */
  "column-ambiguous": problem({
    message: (args: Column) =>
      `column ${code(args.column)} of ${code(args.urn)} is ambiguous: write the full field path${candidates(args, ",")}`,
    trait: "unclear-column",
    samples: [{ urn: orders, column: "email", candidates: ["buyer.email", "seller.email"] }],
  }),
  /**
   * The same column is declared twice in a file, for example by its simple name and by its field path. Both places are reported.
   * Different files may use different names for the same column.
   */
  "column-twice": problem({
    message: (args: Column) =>
      `column ${code(args.column)} of ${code(args.urn)} is declared more than once (its full field path is ${choice(args.candidates)}): keep only one declaration`,
    trait: "unclear-column",
    samples: [{ urn: orders, column: "email", candidates: ["buyer.email"] }],
  }),
  /** Columns are declared for a dataset that has no schema in the catalog. */
  "no-schema": problem({
    message: ({ urn }: Column) => `${code(urn)} has no columns in the catalog: ingest its schema first`,
    trait: "gone-column",
    samples: [{ urn: orders, column: "emial", candidates: [] }],
  }),
  /**
   * Warning: the catalog stores several values for a field that can have only one value in a manifest, such as several domains
   * for a dataset. Only the first value is compared, and changing the field removes all of the values.
   */
  "several-values": problem({
    message: (
      { kind, urn, facet, values }: Asset & { facet: string; values: readonly string[] },
      { nounOf }: Words,
    ) =>
      `the catalog stores ${values.length} values for ${code(facet)} of ${nounOf(kind)} ${code(urn)} (${all(values)}), but only the first is compared, and changing ${code(facet)} removes all of them`,
    samples: [
      { kind: "Dataset", urn: orders, facet: "domain", values: ["urn:li:domain:a", "urn:li:domain:b"] },
    ],
  }),
  /**
   * The server's DataHub release does not support something that a manifest declares, such as `replacement` in a deprecation
   * before DataHub 1.0.
   */
  "not-in-release": problem({
    message: (
      { kind, urn, what, release }: Asset & { facet: string; what: string; release: string },
      { nounOf }: Words,
    ) =>
      `${what} requires DataHub ${release} or later, but this server is older: remove it from ${nounOf(kind)} ${code(urn)}, or upgrade the server`,
    samples: [
      {
        kind: "Dataset",
        urn: orders,
        facet: "deprecation",
        what: "`replacement` in a deprecation",
        release: "1.0",
      },
    ],
  }),
  /** `none` is declared for a structured property, but DataHub releases before 1.0 cannot remove its value. */
  "unremovable-value": problem({
    message: ({ path }: Asset & { path: string }) =>
      `this DataHub release cannot remove ${code(path)}: upgrade the server, or remove the key to keep the value`,
    samples: [{ kind: "Dataset", urn: orders, path: "structured_properties.p" }],
  }),
  /**
   * A value does not fit the definition of its structured property: it has the wrong type, is not allowed, is too long, or is a
   * list although the property allows only one value. This problem is also reported if a definition allows a value that does not
   * fit its own `value_type`.
   */
  "unfit-value": problem({
    message: ({ path, found, expected }: Asset & { path: string; found: string; expected: string }) =>
      `${code(path)} is ${code(found)}, but must be ${expected}`,
    samples: [
      { kind: "Dataset", urn: orders, path: "structured_properties.p", found: "x", expected: "a number" },
    ],
  }),
  /** A structured property is set on an entity whose type is not one of the property's `entity_types`. */
  "unfit-entity": problem({
    message: ({ definition, types }: Asset & { definition: string; types: readonly string[] }) =>
      `${code(definition)} cannot be set on this entity or column, because its \`entity_types\` contain only ${all(types)}`,
    samples: [{ kind: "Dataset", urn: orders, definition: "urn:li:structuredProperty:p", types: ["chart"] }],
  }),
  /**
   * Warning: the definition of a structured property changes, and existing values that the plan does not rewrite may no longer
   * fit. While an entity has such a value, DataHub refuses to write the entity's other structured properties.
   */
  "values-outdated": problem({
    // `count` is the number of entities whose values the plan does not rewrite, and `on` lists the first few of them.
    message: ({ urn, count, on }: { urn: string; count?: number; on: readonly string[] }) => {
      const such = on.length > 0 ? `, ${on.length === count ? "" : "including "}${all(on)},` : "";
      if (count === 1)
        return `1 entity${such} has a value for ${code(urn)} that predates this change to the definition: if the value no longer fits, DataHub refuses to write other structured properties of this entity; declare a value that fits, or remove the old one`;
      const who =
        count === undefined
          ? "could not determine which entities have values"
          : `${count} entities${such} have values`;
      return `${who} for ${code(urn)} that predate this change to the definition: if the values no longer fit, DataHub refuses to write other structured properties of these entities; declare values that fit, or remove the old ones`;
    },
    samples: [
      { urn: "urn:li:structuredProperty:p", count: 1, on: [orders] },
      { urn: "urn:li:structuredProperty:p", count: 700, on: [] },
      { urn: "urn:li:structuredProperty:p", on: [] },
    ],
  }),
  /**
   * DataHub refuses a change to a definition, such as a new `value_type` for a structured property, because existing values may
   * not fit. The message explains which change DataHub accepts instead.
   */
  "refused-change": problem({
    message: ({ urn, facet, reason, way }: Asset & { facet: string; reason: string; way: string }) =>
      `DataHub refuses this change, because ${code(facet)} of ${code(urn)} ${reason}: ${way}`,
    trait: "refused-definition",
    samples: [
      {
        kind: "StructuredProperty",
        urn: "urn:li:structuredProperty:p",
        facet: "value_type",
        reason: "cannot change",
        way: "declare a later `version`",
      },
    ],
  }),
  /**
   * `plan --snapshot`: the snapshot does not contain the entity, because no manifest mentioned it when the snapshot was taken.
   */
  "not-in-snapshot": problem({
    message: ({ urn }: { urn: string }) =>
      `${code(urn)} is not in the snapshot: take a new snapshot now that the manifests mention it, or plan against the server`,
    samples: [{ urn: orders }],
  }),
  /**
   * Warning: the owners of a changed entity could not be read from the catalog, so they are neither mentioned nor asked for a
   * review. With `require: { review: owners }`, the commit status fails.
   */
  "ownership-unread": problem({
    message: ({ urn, error }: { urn: string; error: string }) =>
      `could not read the owners of ${code(urn)}: ${error}`,
    trait: "unread-owners",
    samples: [{ urn: orders, error: "timed out" }],
  }),
  /** An entity could not be read from the catalog. It is left unchanged, and does not count as absent. */
  "read-failed": problem({
    message: unreadText,
    trait: "unread",
    samples: [{ urn: orders, error: "timed out" }],
  }),
  /**
   * The token is not allowed to view an entity. With view authorization, the server returns an empty entity or HTTP 403. The
   * entity is left unchanged, and does not count as absent or empty. Ask for the View Entity Page privilege.
   */
  restricted: problem({
    message: unreadText,
    trait: "unread",
    samples: [{ urn: orders, error: notViewable }],
  }),
};

function unreadText({ urn, error }: { urn: string; error: string; kind?: string }): string {
  return `could not read ${code(urn)}: ${error}`;
}

/** Returns a string that lists the candidate columns of the asset; empty if there are none. */
function columnsOf(args: Column): string {
  return args.candidates.length === 0 ? "" : `; its columns are ${all(args.candidates, 10)}`;
}

function candidates(args: Column, lead: string): string {
  return args.candidates.length === 0 ? "" : `${lead} ${choice(args.candidates, 10)}`;
}
