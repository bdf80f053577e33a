import { facetsOf } from "../../facets/index.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { columnQuery } from "./column-entities.ts";
import { assetsDocument, definitionsDocument, numbered, storedAspects } from "./entities-document.ts";
import { type Question, questionOf, type StoredQuestion } from "./question.ts";

/** What is asked for: definitions, and assets without and with facets that cost the server much to read. */
export interface Asked {
  readonly definitions: readonly Urn[];
  readonly plain: AskedAssets;
  readonly more: AskedAssets;
}

/** Some assets, and the facets that are declared of some of each kind. */
interface AskedAssets {
  readonly urns: Urn[];
  readonly facets: Map<string, Set<string>>;
}

/** What is asked for of some entities. */
export function askedOf(wanted: State): Asked {
  const definitions: Urn[] = [];
  const [plain, more] = [noAssets(), noAssets()];
  for (const entity of wanted.values()) {
    if (isOwned(entity)) definitions.push(entity.urn);
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

function noAssets(): AskedAssets {
  return { urns: [], facets: new Map() };
}

/** The questions; `fields` are those of GraphQL that the server is known to have. */
export function questionsFor(
  wanted: State,
  { definitions, plain, more }: Asked,
  fields: ReadonlySet<string> | undefined,
): readonly Question[] {
  const assets = [plain, more].map(({ urns, facets }): Question => {
    const stored: StoredQuestion = { aspectsOf: (kind) => storedAspects(kind, facets) };
    const alone = questionOf(urns, assetsDocument(facets), stored);
    const beside = columnQuery(wanted, facets, fields);
    if (!beside) return alone;
    const document = assetsDocument(facets, beside.selection);
    return {
      ...alone,
      requestFor: (some) => {
        const columns = beside.urnsOf(some);
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
export function isOwned({ kind }: Entity): boolean {
  return isDefinitionKind(kind);
}

/** Whether an entity declares a facet that is read only where it is declared. */
export function declaresMore(entity: Entity): boolean {
  return facetsOf(entity.kind).some((facet) => facet.readWhenDeclared && entity.facets.has(facet.name));
}
