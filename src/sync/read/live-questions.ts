/** Groups entities into queries that read them from the server. */

import { facetsOf } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { columnQuery } from "./column-entities.ts";
import { assetsDocument, definitionsDocument, numbered, storedAspects } from "./entities-document.ts";
import { type Question, questionOf, type StoredQuestion } from "./question.ts";

/** Definitions, assets without facets that are expensive to read (`plain`), and assets with such facets (`more`). */
export interface LiveQuery {
  readonly definitions: readonly Urn[];
  readonly plain: AssetsToRead;
  readonly more: AssetsToRead;
}

/** Assets, and the facets that at least one of them declares, keyed by kind. */
interface AssetsToRead {
  readonly urns: Urn[];
  readonly facets: Map<string, Set<string>>;
}

/** Groups entities according to how they are read. */
export function liveQueryFor(wanted: State): LiveQuery {
  const definitions: Urn[] = [];
  const [plain, more] = [noAssets(), noAssets()];
  for (const entity of wanted.values()) {
    if (isDefinitionEntity(entity)) definitions.push(entity.urn);
    else {
      const { urns, facets } = declaresMore(entity) ? more : plain;
      urns.push(entity.urn);
      const declared = facets.get(entity.kind) ?? new Set();
      facets.set(entity.kind, declared);
      for (const name of entity.facets.keys()) declared.add(name);
    }
  }
  return { definitions, plain, more };
}

function noAssets(): AssetsToRead {
  return { urns: [], facets: new Map() };
}

/** Returns the queries that read these entities. `fields` contains the optional GraphQL fields that the server supports. */
export function questionsFor(
  wanted: State,
  { definitions, plain, more }: LiveQuery,
  fields: ReadonlySet<string> | undefined,
): readonly Question[] {
  const assets = [plain, more].map(({ urns, facets }): Question => {
    const stored: StoredQuestion = { aspectsOf: (kind) => storedAspects(kind, facets) };
    const alone = questionOf(urns, assetsDocument(facets), stored);
    const columnQuestion = columnQuery(wanted, facets, fields);
    if (!columnQuestion) return alone;
    const document = assetsDocument(facets, columnQuestion.selection);
    return {
      ...alone,
      requestFor: (some) => {
        const columns = columnQuestion.urnsOf(some);
        if (columns.length === 0) return alone.requestFor(some);
        return { document, variables: { urns: some, beside: columns } };
      },
      alone,
    };
  });
  return [
    {
      urns: definitions,
      requestFor: (urns) => ({
        document: definitionsDocument(urns.flatMap((urn) => wanted.get(urn) ?? [])),
        variables: { urns, ...numbered(urns) },
      }),
    },
    ...assets,
  ];
}

/** Whether an entity is a definition. */
export function isDefinitionEntity({ kind }: Entity): boolean {
  return isDefinitionKind(kind);
}

/** Whether an entity declares any facet that is read only for entities that declare it. */
export function declaresMore(entity: Entity): boolean {
  return facetsOf(entity.kind).some((facet) => facet.readWhenDeclared && entity.facets.has(facet.name));
}
