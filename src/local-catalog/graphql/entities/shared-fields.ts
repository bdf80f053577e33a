/** Defines GraphQL fields that many entity types share: owners, domain, tags, links, deprecation, keys and parents. */

import { attributionValue, ownershipValue, tagsValue } from "./association-values.ts";
import { aspectField, existsField, plainField, type EntityField, type EntityFields } from "./field.ts";
import { numberAt, objectAt, objectsAt, stringAt } from "../../json.ts";
import { entityAt, stampAt, stringFields } from "./property-values.ts";
import { rawAspectsField } from "./raw-aspects.ts";
import { relationshipsField } from "./relationships.ts";
import { isRedacted } from "./restricted.ts";
import { ancestorsOf } from "../../store/tree.ts";
import { entitySource } from "./source.ts";
import { entityTypeNamed, keyPartsOf } from "../../registry/entity-types.ts";

/** The field for an entity's owners. */
export const owned: EntityFields = { ownership: aspectField("ownership", ownershipValue) };

/**
 * The field for an entity's domain, from the aspect's first association (DomainAssociationMapper.java, since 1.7). It is null if
 * there is no association, or if the user may not view the domain. The aspect may still list domains without associations,
 * because releases before 1.7 did not store associations.
 */
export const inDomain: EntityFields = {
  domain: {
    aspects: () => ["domains"],
    read(urn, reader, _args, context) {
      const [first] = objectsAt(reader.aspect(urn, "domains"), "domainAssociations");
      if (!first || isRedacted(stringAt(first, "domain") ?? "", context)) return null;
      return { domain: entityAt(first, "domain"), associatedUrn: urn, attribution: attributionValue(first) };
    },
  },
};

const tags = aspectField("globalTags", tagsValue);

/** The field for an entity's tags, under its current name and under an older name. */
export const tagged: EntityFields = { tags, globalTags: tags };

/** The field that shows whether an entity is soft-deleted. */
export const softDeletable: EntityFields = {
  status: aspectField("status", (value) => ({ removed: value["removed"] === true })),
};

/** The field for an entity's links (InstitutionalMemoryMapper.java). */
export const linked: EntityFields = {
  institutionalMemory: aspectField("institutionalMemory", (value, associatedUrn) => ({
    elements: objectsAt(value, "elements").map((link) => ({
      url: stringAt(link, "url"),
      // The aspect stores the label as `description`.
      label: stringAt(link, "description"),
      description: stringAt(link, "description"),
      author: entityAt(objectAt(link, "createStamp"), "actor"),
      created: stampAt(link, "createStamp"),
      updated: stampAt(link, "updateStamp"),
      associatedUrn,
    })),
  })),
};

/** The field that shows whether an entity is deprecated (DeprecationMapper.java). */
export const deprecatable: EntityFields = {
  deprecation: aspectField("deprecation", (value) => ({
    deprecated: value["deprecated"] === true,
    decommissionTime: numberAt(value, "decommissionTime"),
    ...stringFields(value, ["note", "actor"]),
    actorEntity: entityAt(value, "actor"),
    replacement: entityAt(value, "replacement"),
  })),
};

/**
 * Fields that assets, domains, tags, glossary entities, data products, users and groups share: relationships and stored aspects.
 */
export const common: EntityFields = { relationships: relationshipsField, aspects: rawAspectsField };

/** Creates the fields that depend only on the entity type: one field for each part of the key, and `exists`. */
export function keyFields(type: string): EntityFields {
  const { keyAspect = "", keyFields: names = [] } = entityTypeNamed(type) ?? {};
  const parts = names.map((name) => [name, plainField((urn) => keyPartsOf(urn)[name] ?? null)] as const);
  return { ...Object.fromEntries(parts), exists: existsField(keyAspect) };
}

// Maximum number of parents that DataHub follows (application.yaml, graphQL.query).
const maxParents = 50;

/**
 * Creates a field that lists an entity's ancestors, nearest first, as in GraphQL's ParentDomainsResult. The field's value
 * contains the number of ancestors and, under the key that `list` specifies, the ancestors. `aspect` is the name of the aspect
 * that contains the parent.
 */
export function parentsField(aspect: string, list: string): EntityField {
  return {
    aspects: () => [aspect],
    read(urn, reader) {
      const chain = ancestorsOf(urn, reader).slice(0, maxParents);
      return { count: chain.length, [list]: chain.map(entitySource) };
    },
  };
}
