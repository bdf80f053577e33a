/** Finds the mappings in a document that declare an entity, and selects the mappings to edit. */

import { facetsOf } from "../../facets/index.ts";
import { namesAmong } from "../../facets/places.ts";
import { findKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { manifestKeys } from "../schema/schema.ts";
import type { Target } from "./declare.ts";
import type { Edit, EditOptions, NewValue } from "./edit.ts";
import { entryNamed, type Tree } from "./tree.ts";

/** A mapping that declares an entity's facets: a manifest, or an inline element in a manifest's list. */
interface DeclaringMapping {
  readonly urn: Urn;
  readonly isInline: boolean;
  readonly fields: JsonObject;
  /** The path from the document's root to the mapping: mapping keys and list indexes. */
  readonly steps: readonly (string | number)[];
}

/** Finds the mappings in a document that declare facets. */
export function declaringMappings(root: Json): readonly DeclaringMapping[] {
  const manifests = isJsonList(root)
    ? root.map((fields, index) => ({ fields, steps: [index] }))
    : [{ fields: root, steps: [] }];
  return manifests.flatMap(({ fields, steps }) => {
    if (!isJsonObject(fields)) return [];
    const name = fields["kind"];
    const kind = typeof name === "string" ? findKind(name) : undefined;
    const identity = kind?.urnOf(fields);
    if (!kind || !identity || !("urn" in identity)) return [];
    const own = { urn: identity.urn, isInline: false, fields, steps };
    return [own, ...inlineMappings(kind, own)];
  });
}

function inlineMappings({ name }: Kind, manifest: DeclaringMapping): readonly DeclaringMapping[] {
  return facetsOf(name).flatMap((facet) => {
    const list = facet.inlineKind === undefined ? undefined : manifest.fields[facet.name];
    return (isJsonList(list) ? list : []).flatMap((fields, index) => {
      const parsed = isJsonObject(fields) ? facet.parse(fields) : undefined;
      if (!isJsonObject(fields) || !parsed || !("value" in parsed) || !isUrn(parsed.value)) return [];
      const steps = [...manifest.steps, facet.name, index];
      return [{ urn: parsed.value, isInline: true, fields, steps }];
    });
  });
}

/**
 * Finds the mappings to edit: every mapping that declares the field, or only the first manifest if `isDeclared` is set. New
 * elements are added only to the first mapping.
 */
export function targetsIn(
  mappings: readonly DeclaringMapping[],
  root: Tree,
  edits: readonly Edit[],
  { isDeclared, found }: Required<EditOptions>,
): readonly Target[] {
  const byUrn = groupBy(mappings, ({ urn }) => urn);
  return edits.flatMap((edit) => {
    const { value } = edit;
    const less: NewValue = value.type === "elements" ? { ...value, add: [] } : value;
    const own = byUrn.get(edit.urn) ?? [];
    const manifest = found.has(edit) ? undefined : own.find(({ isInline }) => !isInline);
    const declaring = (isDeclared ? [manifest] : own).flatMap((each) => {
      const keys = each && (keysIn(each.fields, edit) ?? (isDeclared ? manifestKeys(edit) : undefined));
      return keys ? [{ edit, fields: each.fields, mapping: treeAt(root, each.steps), keys }] : [];
    });
    return declaring.map((each, index) => ({ ...each, value: index > 0 || found.has(edit) ? less : value }));
  });
}

// Returns the tree at a path in the document. Stops at an alias, which has no entries of its own.
function treeAt(tree: Tree, [step, ...rest]: DeclaringMapping["steps"]): Tree {
  if (step === undefined || tree.type === "text") return tree;
  const entry = typeof step === "number" ? tree.entries[step] : entryNamed(tree, step);
  return entry ? treeAt(entry.value, rest) : tree;
}

/**
 * Returns the keys that lead to a field, with the spelling that the mapping uses; `undefined` if the mapping does not declare the
 * field.
 */
function keysIn(fields: JsonObject, place: Edit): readonly string[] | undefined {
  return namesAmong(place, place.live)
    .map(manifestKeys)
    .find((keys) => {
      let value: Json | undefined = fields;
      for (const key of keys)
        value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      return value !== undefined;
    });
}
