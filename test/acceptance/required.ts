import { listedCommands } from "../../src/cli/commands/index.ts";
import { facets } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { modes } from "../../src/model/settings.ts";
import { namesForAnyVersion, namesOfWrites, queryFields } from "../support/sent-documents.ts";

/** Commands that ask no catalog, and why: all others are to be tried. */
export const commandsWithoutCatalog: Readonly<Record<string, string>> = {
  fmt: "formats files",
  import: "reads and writes files",
  show: "prints a file",
  runs: "reads Git",
  "merge-plans": "joins files",
  github: "asks GitHub",
  serve: "is a catalog",
  demo: "brings its own catalog",
  schema: "prints a file of the package",
  completion: "prints a script",
  complete: "reads files",
};

/** The requests beside GraphQL by which the client reads. */
const restReads = ["GET /config", "GET /entitiesV2", "POST batchGet"] as const;

/** The name under which a facet of a kind is tried. */
export function facetRow({ name }: Pick<Kind, "name">, facet: string): string {
  return `facet ${name}.${facet}`;
}

/** The name under which a proposal is tried that is written whichever version the aspect has. */
export function anyVersionRow(operation: string): string {
  return operation + anyVersion;
}

/** Whether a name is one of those. */
export function isOfAnyVersion(row: string): boolean {
  return row.endsWith(anyVersion);
}

const anyVersion = ", any version";

/** What the writes of assignments rely on. */
export const patchRows = {
  version: "PATCH with If-Version-Match",
  keys: "PATCH that names its keys",
  batch: "POST ingestProposalBatch",
} as const;

/** The name under which a kind is tried. */
export function kindRow({ name }: Pick<Kind, "name">): string {
  return `kind ${name}`;
}

/** Everything that is to be tried, by name: from the lists of the product. */
export const required: readonly string[] = [
  ...new Set([
    ...namesOfWrites("graphql"),
    ...namesOfWrites("conditional"),
    ...namesForAnyVersion.map(anyVersionRow),
    ...Object.values(patchRows),
    ...queryFields.map((field) => `query ${field}`),
    ...restReads,
    ...kinds.map(kindRow),
    ...facets.flatMap(({ name, kinds: having }) => having.map((kind) => facetRow({ name: kind }, name))),
    ...modes.map((mode) => `mode ${mode}`),
    ...listedCommands.flatMap(({ name }) =>
      Object.hasOwn(commandsWithoutCatalog, name) ? [] : [`command ${name}`],
    ),
  ]),
];
