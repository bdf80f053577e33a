/** Problems with assets, their columns and their values in the catalog. */

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
    message: (args: Column) =>
      `${code(args.urn)} has no column ${code(args.column)}${candidates(args, "; it can be")}`,
    trait: "gone-column",
    samples: [{ urn: orders, column: "emial", candidates: ["email", "id"] }],
  }),
  /** The simple name of a column matches several field paths. */
  "column-ambiguous": problem({
    message: (args: Column) =>
      `column ${code(args.column)} of ${code(args.urn)} is ambiguous: write the whole field path${candidates(args, ",")}`,
    trait: "unclear-column",
    samples: [{ urn: orders, column: "emial", candidates: ["email", "id"] }],
  }),
  /** The same column is declared twice in a file, for example by its simple name and by its field path. Both places are named. In two files it may have two names. */
  "column-twice": problem({
    message: (args: Column) =>
      `column ${code(args.column)} of ${code(args.urn)} is declared twice: it is also declared as ${choice(args.candidates)}; keep one`,
    trait: "unclear-column",
    samples: [{ urn: orders, column: "emial", candidates: ["email", "id"] }],
  }),
  /** Columns are declared for a dataset that has no schema in the catalog. */
  "no-schema": problem({
    message: ({ urn }: Column) => `${code(urn)} has no columns in the catalog: ingest its schema first`,
    trait: "gone-column",
    samples: [{ urn: orders, column: "emial", candidates: [] }],
  }),
  /** The first value counts. */
  /** Warning: the catalog stores several values for a field that has one here, such as several domains of a dataset. Only the first is compared, and a change of the field removes all of them. */
  "several-values": problem({
    message: (
      { kind, urn, facet, values }: Asset & { facet: string; values: readonly string[] },
      { nounOf }: Words,
    ) =>
      `the catalog stores ${values.length} values for ${code(facet)} of ${nounOf(kind)} ${code(urn)}, ${all(values)}: only the first is compared, and a change of ${code(facet)} removes all of them`,
    samples: [
      { kind: "Dataset", urn: orders, facet: "domain", values: ["urn:li:domain:a", "urn:li:domain:b"] },
    ],
  }),
  /** `what` is missing on the server; `release` is the first one that has it. */
  /** The release of the server does not support something that a manifest declares, such as the `replacement` of a deprecation before DataHub 1.0. */
  "not-in-release": problem({
    message: (
      { kind, urn, what, release }: Asset & { facet: string; what: string; release: string },
      { nounOf }: Words,
    ) =>
      `${what} requires DataHub ${release} or later, and this server is older: remove it from ${nounOf(kind)} ${code(urn)}, or upgrade the server`,
    samples: [
      {
        kind: "Dataset",
        urn: orders,
        facet: "deprecation",
        what: "`replacement` of a deprecation",
        release: "1.0",
      },
    ],
  }),
  /** `none` is declared for a structured property, but the release of DataHub (before 1.0) cannot remove its value. */
  "unremovable-value": problem({
    message: ({ path }: Asset & { path: string }) =>
      `this release of DataHub cannot remove ${code(path)}: upgrade the server, or remove the key to keep the value`,
    samples: [{ kind: "Dataset", urn: orders, path: "structured_properties.p" }],
  }),
  /** The path names the place as a manifest does. */
  /** A value does not fit the definition of its structured property: it has another type, is not allowed, is too long, or is a list although the property has one value. Or a definition allows a value that its own `value_type` does not. */
  "unfit-value": problem({
    message: ({ path, found, expected }: Asset & { path: string; found: string; expected: string }) =>
      `${code(path)} is ${code(found)}, but must be ${expected}`,
    samples: [
      { kind: "Dataset", urn: orders, path: "structured_properties.p", found: "x", expected: "a number" },
    ],
  }),
  /** A structured property is set on an entity that is not among its `entity_types`. */
  "unfit-entity": problem({
    message: (
      { kind, definition, types }: Asset & { definition: string; types: readonly string[] },
      { nounOf }: Words,
    ) =>
      `${code(definition)} cannot be set here, on a ${nounOf(kind)} or a part of it: its \`entity_types\` are only ${all(types)}`,
    samples: [{ kind: "Dataset", urn: orders, definition: "urn:li:structuredProperty:p", types: ["chart"] }],
  }),
  /** The number of entities with such values that the plan does not write again, and the first few. */
  /** Warning: a definition of a structured property changes so that older values may not fit, and the plan does not write these values again. While an entity has a value that does not fit, DataHub refuses to write its other structured properties. */
  "values-outdated": problem({
    message: ({ urn, count, on }: { urn: string; count?: number; on: readonly string[] }) => {
      const such = on.length > 0 ? `, such as on ${all(on)}` : "";
      const who =
        count === undefined
          ? "it is not known which entities have values"
          : count === 1
            ? "1 entity has a value"
            : `${count} entities have values`;
      const [they, them] = count === 1 ? ["it", "it"] : ["they", "them"];
      return (
        `${who} of ${code(urn)} from before this change${such}: if ${they} no longer ` +
        `${count === 1 ? "fits" : "fit"}, DataHub refuses to write other structured properties of the same entity; ` +
        `declare or remove ${them}`
      );
    },
    samples: [
      { urn: "urn:li:structuredProperty:p", count: 1, on: [orders] },
      { urn: "urn:li:structuredProperty:p", count: 700, on: [] },
      { urn: "urn:li:structuredProperty:p", on: [] },
    ],
  }),
  /** DataHub refuses a change of a definition, such as another `value_type` of a structured property, because values may not fit it. The message names what DataHub takes instead. */
  "refused-change": problem({
    message: ({ urn, facet, reason, way }: Asset & { facet: string; reason: string; way: string }) =>
      `DataHub refuses this change: ${code(facet)} of ${code(urn)} ${reason}: ${way}`,
    trait: "refused-definition",
    samples: [
      {
        kind: "StructuredProperty",
        urn: "urn:li:structuredProperty:p",
        facet: "value_type",
        reason: "cannot change",
        way: "give it a later `version`",
      },
    ],
  }),
  /** `plan --snapshot`: the snapshot does not contain the entity, because no manifest named it when the snapshot was taken. */
  "not-in-snapshot": problem({
    message: ({ urn }: { urn: string }) =>
      `${code(urn)} is not in the snapshot: take a snapshot with manifests that name it, or plan against the server`,
    samples: [{ urn: orders }],
  }),
  /** Warning: the owners of a changed entity could not be read from the catalog, so they are neither mentioned nor asked for a review. With `require: { review: owners }` the status of the commit fails. */
  "ownership-unread": problem({
    message: ({ urn, error }: { urn: string; error: string }) =>
      `cannot read the owners of ${code(urn)}: ${error}`,
    trait: "unread-owners",
    samples: [{ urn: orders, error: "timed out" }],
  }),
  /** An entity could not be read from the catalog. It is not changed, and does not count as absent. */
  "read-failed": problem({
    message: unreadText,
    trait: "unread",
    samples: [{ urn: orders, error: "timed out" }],
  }),
  /** Like `read-failed`, but because the token may not view the entity. */
  /** The token may not view an entity. With view authorization, the server answers with an empty entity or HTTP 403. The entity is not changed, and counts neither as absent nor as empty. Ask for the privilege View Entity Page. */
  restricted: problem({
    message: unreadText,
    trait: "unread",
    samples: [{ urn: orders, error: notViewable }],
  }),
};

function unreadText({ urn, error }: { urn: string; error: string; kind?: string }): string {
  return `could not read ${code(urn)}: ${error}`;
}

function candidates(args: Column, lead: string): string {
  return args.candidates.length === 0 ? "" : `${lead} ${choice(args.candidates, 10)}`;
}
