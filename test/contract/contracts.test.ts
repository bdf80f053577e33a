import { describe, expect, test } from "vitest";
import {
  edgesOfMembers,
  edgeSets,
  facetNamed,
  facets,
  facetsOf,
  plannedFacets,
  relationshipBelow,
} from "../../src/facets/index.ts";
import { definitionKinds, isDefinitionKind, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { fieldsOf, recordOfAspect } from "../../src/local-catalog/registry/aspect-records.ts";
import { type EntityType, entityTypeNamed } from "../../src/local-catalog/registry/entity-types.ts";

// What kinds and facets say of DataHub is compared with its entity registry, which the local catalog carries.

function entityTypeOf({ name, entityType }: Kind): EntityType {
  const type = entityTypeNamed(entityType);
  if (!type) throw new Error(`DataHub has no entity type ${entityType}, as the kind ${name} says`);
  return type;
}

/** Which of these aspects, or fields of them as `aspect.field`, DataHub does not have on entities of a kind. */
function unknownOn(
  kind: Kind,
  places: readonly (readonly [aspect: string, field?: string])[],
): readonly string[] {
  const { aspects } = entityTypeOf(kind);
  return places.flatMap(([aspect, field]) => {
    if (!aspects.has(aspect)) return [`${kind.name}: ${aspect}`];
    const isKnown = field === undefined || fieldsOf(recordOfAspect(aspect))?.has(field);
    return isKnown === true ? [] : [`${kind.name}: ${aspect}.${field}`];
  });
}

describe.each(kinds.map((kind) => ({ kind, name: kind.name })))("the kind $name", ({ kind }) => {
  test("has the entity type of DataHub's registry", () => {
    expect(entityTypeOf(kind).name).toBe(kind.entityType);
  });

  test("keeps its fields in aspects and fields of that entity type", () => {
    expect(
      unknownOn(
        kind,
        Object.values(kind.storage).map(([aspect, field]) => [aspect, field]),
      ),
    ).toEqual([]);
  });

  test("keeps fields that are facets", () => {
    const names = new Set(facets.map(({ name }) => name));
    expect(Object.keys(kind.storage).filter((kept) => !names.has(kept))).toEqual([]);
  });

  test("begins with fields that its aspects have, and with all that they require", () => {
    const initial = Object.entries(kind.initial("a"));
    const places = initial.flatMap(([aspect, value]) =>
      Object.keys(value).map((field) => [aspect, field] as const),
    );
    expect(unknownOn(kind, places)).toEqual([]);
    const kept = new Set(Object.values(kind.storage).map(([aspect]) => aspect));
    const lacking = [...kept].flatMap((aspect) => {
      const fields = [...(fieldsOf(recordOfAspect(aspect)) ?? [])];
      const value = kind.initial("a")[aspect] ?? {};
      return fields
        .filter(([field, { required }]) => required && value[field] === undefined)
        .map(([field]) => `${aspect}.${field}`);
    });
    expect(kind.lifecycle === "owned" ? lacking : []).toEqual([]);
  });

  test("is soft-deletable where its entity type has a status", () => {
    expect(kind.softDeletable).toBe(entityTypeOf(kind).aspects.has("status"));
  });

  test("has facets that are stored in aspects of its entity type", () => {
    const places = facetsOf(kind.name).flatMap(({ storedIn }) => {
      const aspect = storedIn?.(kind.name);
      return aspect === undefined ? [] : [[aspect] as const];
    });
    expect(unknownOn(kind, places)).toEqual([]);
  });
});

test("a deletion names relationships that DataHub's records make", () => {
  const made = new Set(
    definitionKinds.flatMap(({ deletion }) => deletion?.relationships ?? []).filter((name) => !isMade(name)),
  );
  expect([...made]).toEqual([]);
});

test("facets name relationships that DataHub's records make of the aspects that hold them", () => {
  const unmade = facets.flatMap(({ name, kinds: own, relationship, storedIn }) =>
    own.flatMap((kind) => {
      const aspect = storedIn?.(kind);
      if (relationship === undefined) return [];
      const made = aspect === undefined ? new Set() : relationshipsIn(recordOfAspect(aspect));
      return made.has(relationship) ? [] : [`${name} of ${kind}: ${relationship}`];
    }),
  );
  expect(unmade).toEqual([]);
  expect(facets.filter(({ relationship }) => relationship !== undefined).length).toBeGreaterThan(0);
});

test("every kind whose entities form a tree has a relationship by which what is below is found", () => {
  const trees = kinds.filter(({ parentFacet }) => parentFacet !== undefined);
  expect(trees.map((kind) => relationshipBelow(kind))).not.toContain(undefined);
});

test.each(edgesOfMembers)(
  "$facet are kept in lists of the members, found by their relationships, and decided by an aspect of the group",
  ({ kind, inverseKinds, storedByMembers: { lists, relationships, originAspect } }) => {
    for (const inverseKind of inverseKinds)
      expect(
        unknownOn(
          inverseKind,
          lists.map(({ aspect, list }) => [aspect, list] as const),
        ),
      ).toEqual([]);
    const made = lists.flatMap(({ aspect }) => [...relationshipsIn(recordOfAspect(aspect))]);
    expect(new Set(relationships)).toEqual(new Set(made));
    expect(unknownOn(kind, [[originAspect, "type"]])).toEqual([]);
  },
);

test("the facets at both ends of edges name each other's kinds", () => {
  for (const { facet, kind, inverse, inverseKinds } of edgeSets) {
    expect(facetNamed(facet).refersTo).toEqual(
      expect.arrayContaining(inverseKinds.map(({ entityType }) => entityType)),
    );
    expect(facetNamed(inverse).refersTo).toEqual([kind.entityType]);
  }
});

test("each facet is one of some kind", () => {
  expect(facets.filter(({ kinds: own }) => own.length === 0).map(({ name }) => name)).toEqual([]);
});

function isMade(relationship: string): boolean {
  return kinds.some((kind) =>
    [...entityTypeOf(kind).aspects].some((aspect) =>
      relationshipsIn(recordOfAspect(aspect)).has(relationship),
    ),
  );
}

function relationshipsIn(record: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(record)) return new Set();
  seen.add(record);
  const fields = [...(fieldsOf(record)?.values() ?? [])];
  return new Set(
    fields.flatMap(({ type, relationships }) => [
      ...relationships.values(),
      ...type.split(/[[\](){}|]/).flatMap((part) => [...relationshipsIn(part, seen)]),
    ]),
  );
}

test("each kind and each facet has a name of its own", () => {
  for (const list of [kinds, facets]) {
    const names = list.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});

test("definitions come before what is only observed, so that they are written first", () => {
  const flags = kinds.map(({ name }) => isDefinitionKind(name));
  expect(kinds.map(({ name }) => name).slice(0, flags.indexOf(false))).toEqual(
    definitionKinds.map(({ name }) => name),
  );
});

test("a facet that can be declared is read: it selects fields, or names raw aspects", () => {
  const unread = plannedFacets.flatMap(({ name, schema, kinds: own, ...facet }) => {
    const isRead = own.every((kind) => facet.answered(kind).length + facet.aspects(kind).length > 0);
    return schema === undefined || isRead || (facet.shape === "set" && facet.edges) ? [] : [name];
  });
  expect(unread).toEqual([]);
});
