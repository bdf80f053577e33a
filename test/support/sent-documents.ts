import { getOperationAST, Kind, parse } from "graphql";
import { probeDocument, probeInputDocument, probeSelection } from "../../src/sync/read/capabilities.ts";
import { belowDocument, referringDocument } from "../../src/sync/read/outgoing-references.ts";
import {
  assetsDocument,
  type DeclaredFacets,
  definitionsDocument,
} from "../../src/sync/read/entities-document.ts";
import { existenceDocument } from "../../src/sync/read/existence.ts";
import { indexedMembersDocument } from "../../src/sync/read/changed.ts";
import { storingEntitiesDocument } from "../../src/sync/read/column-entities.ts";
import { membersDocument, membershipsDocument } from "../../src/sync/read/memberships.ts";
import { columnsDocument, factsDocument, parentsDocument } from "../../src/sync/read/assets/facts.ts";
import { discoverDocument } from "../../src/sync/read/discover.ts";
import { peopleDocument } from "../../src/sync/policies/people.ts";
import { namesDocument } from "../../src/sync/read/names.ts";
import { shellsDocument } from "../../src/sync/read/restricted.ts";
import { searchDocument } from "../../src/sync/read/search.ts";
import { actorDocument } from "../../src/sync/read/actor.ts";
import { privilegesDocument } from "../../src/sync/read/granted-privileges.ts";
import { edgesOfMembers, facets, plannedFacets } from "../../src/facets/index.ts";
import { writesFor } from "../../src/facets/writes.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { containerKind, kinds } from "../../src/kinds/index.ts";
import type { FacetChange } from "../../src/model/change.ts";
import { isListEdit, nameOfRequest, type Request, type WriteMode } from "../../src/model/operation.ts";
import type { Entity } from "../../src/model/state.ts";
import { datasetNamed, urn } from "./states.ts";

const entities: readonly Entity[] = kinds
  .filter(({ lifecycle }) => lifecycle === "observed")
  .map(({ name }) => ({ kind: name, urn: datasetNamed("a"), facets: new Map() }));

const owner = (type: string): { owner: string; type: string } => ({
  owner: "urn:li:corpuser:a",
  type: `urn:li:ownershipType:${type}`,
});

/** For each facet, changes that lead to each of its operations in each of their forms. */
const examples: Readonly<Record<string, readonly object[]>> = {
  owners: ["__system__technical_owner", "__system__dataowner", "architect"].map((type) => ({
    shape: "set",
    add: [owner(type)],
    remove: [owner(type)],
  })),
};

/** A change by the examples of a facet's schema. */
function exampleOf(facet: Facet): readonly object[] {
  const written = [facet.schema?.["examples"] ?? []].flat(2);
  const values = written.flatMap((each) => {
    const parsing = each === "none" ? { refusal: each } : facet.parse(each);
    return "value" in parsing ? [parsing.value] : [];
  });
  const path = facet.shape === "map" ? { path: facet.keys.map(({ example }) => example) } : {};
  const [value = null] = values;
  const ofScalars = [
    { shape: "scalar", ...path, before: null, after: value },
    { shape: "scalar", ...path, before: value, after: null },
  ];
  const ofSets = [{ shape: "set", ...path, add: values, remove: values }];
  return [...(facet.scalar ? ofScalars : []), ...(facet.set ? ofSets : [])];
}

/**
 * What the client sends for changes of a facet, those of `examples`, in the order of the changes. Throws where no example leads
 * to a request.
 */
export function examplesOf(
  facet: Facet,
  kind = facet.kinds[0] ?? "",
  writes: WriteMode = "graphql",
  more: object = {},
): readonly Request[] {
  const changes = examples[facet.name] ?? exampleOf(facet);
  const requests = changes.flatMap((change) => {
    const update = {
      action: "update",
      kind,
      urn: datasetNamed("a"),
      facet: facet.name,
      fingerprint: "",
      ...change,
      ...more,
    };
    return writesFor(update as FacetChange, writes).map(({ request }) => request);
  });
  if (requests.length > 0) return requests;
  throw new Error(`no example in the schema of ${facet.name} leads to a request`);
}

/** The names that reports give to all that can be written, with mutations or with conditional proposals: each once. */
export function namesOfWrites(writes: WriteMode): readonly string[] {
  const ofFacets = plannedFacets.flatMap((facet) =>
    facet.kinds.flatMap((kind) => examplesOf(facet, kind, writes).map(nameOfRequest)),
  );
  const ofKinds = kinds.flatMap((kind) => [
    ...Object.keys(kind.initial("")).map((aspect) => `ingestProposal ${aspect}`),
    ...(kind.deletion?.mutation === undefined ? [] : [kind.deletion.mutation]),
  ]);
  return [...new Set([...ofFacets, ...ofKinds])];
}

const leavingOthers = { covers: { elements: [], except: ["*"] } };

/** The names of those that are written whichever version the aspect has, where others may add values: each once. */
export const namesForAnyVersion: readonly string[] = [
  ...new Set(
    plannedFacets
      .flatMap((facet) => examplesOf(facet, facet.kinds[0], "conditional", leavingOthers))
      .filter(isForAnyVersion)
      .map(nameOfRequest),
  ),
];

/** Whether a request may be written as a patch for any version: of what a patch cannot address the aspect is written. */
export function isForAnyVersion(request: Request): boolean {
  if (request.type !== "proposal" || !request.isForAnyVersion) return false;
  return request.edits?.every((edit) => isListEdit(edit) && edit.keys !== undefined) ?? false;
}

const definitions = kinds
  .filter(({ lifecycle }) => lifecycle === "owned")
  .map(({ name, entityType }): Entity => ({
    kind: name,
    urn: urn(`urn:li:${entityType}:a`),
    facets: new Map(),
  }));

/** The names of all facets. */
const everyFacet = new Set(facets.map(({ name }) => name));

/** The kinds of what is only observed. */
const declaredOfAll = (names: ReadonlySet<string>): DeclaredFacets =>
  new Map(entities.map(({ kind }) => [kind, names]));

/** The queries that the client sends, each in all its forms. */
export const reads = [
  {
    name: "reading assets of which nothing is declared",
    document: assetsDocument(declaredOfAll(new Set())),
  },
  { name: "reading assets with all facets", document: assetsDocument(declaredOfAll(everyFacet)) },
  {
    name: "reading assets with entities of their columns",
    document: assetsDocument(declaredOfAll(everyFacet), "... on SchemaFieldEntity { urn }"),
  },
  { name: "reading definitions", document: definitionsDocument(definitions) },
  ...facets.flatMap((facet) =>
    facet.shape === "map" && facet.storedInColumns
      ? [{ name: `reading ${facet.name}`, document: storingEntitiesDocument(facet.storedInColumns) }]
      : [],
  ),
  ...edgesOfMembers.flatMap((edges) => [
    { name: `discovering ${edges.facet}`, document: membersDocument(edges) },
    { name: `looking at ${edges.facet} again`, document: indexedMembersDocument(edges) },
    { name: `reading ${edges.inverse}`, document: membershipsDocument(edges) },
  ]),
  { name: "looking up what is referred to", document: existenceDocument(2) },
  {
    name: "looking up what is referred to, and probing a type",
    document: existenceDocument(2, probeSelection("SchemaFieldEntity")),
  },
  { name: "reading what refers to definitions", document: referringDocument },
  { name: "reading what is below definitions", document: belowDocument },
  { name: "reading display names", document: namesDocument },
  { name: "finding entities", document: discoverDocument },
  { name: "searching for what is absent", document: searchDocument(2) },
  ...kinds
    .filter(({ matching }) => matching)
    .map((kind) => ({ name: `reading what rules match a ${kind.name} by`, document: factsDocument(kind) })),
  ...kinds
    .filter(({ matching }) => matching?.hasColumns)
    .flatMap((kind) => [
      { name: `reading the columns of a ${kind.name}`, document: columnsDocument(kind) },
      { name: `reading the edited columns of a ${kind.name}`, document: columnsDocument(kind, true) },
    ]),
  ...edgesOfMembers.flatMap(({ kind, inverseKinds }) =>
    [kind, ...inverseKinds].map((each) => ({
      name: `reading ${each.plural} that own something`,
      document: peopleDocument(each),
    })),
  ),
  { name: "reading what is above containers", document: parentsDocument(containerKind) },
  ...kinds.flatMap((kind) =>
    kind.shell
      ? [{ name: `telling shells of ${kind.plural}`, document: shellsDocument(kind, kind.shell.typed) }]
      : [],
  ),
  { name: "asking who writes", document: actorDocument },
  { name: "asking for privileges", document: privilegesDocument(2) },
  { name: "probing a type", document: probeDocument("SchemaFieldEntity") },
  { name: "probing an input type", document: probeInputDocument("SearchFlags") },
];

/** The fields of the query type that these ask for, each once. */
export const queryFields: readonly string[] = [
  ...new Set(
    reads.flatMap(({ document }) =>
      (getOperationAST(parse(document))?.selectionSet.selections ?? []).flatMap((selection) =>
        selection.kind === Kind.FIELD ? [selection.name.value] : [],
      ),
    ),
  ),
];
