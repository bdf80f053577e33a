import { facetNamed } from "../../facets/index.ts";
import { appendTo } from "../../model/append.ts";
import { isJsonList, type Json, type JsonObject } from "../../model/json.ts";
import { type Member, memberKey } from "../../model/state.ts";
import { manifestKeys } from "../schema/schema.ts";
import { isContainer, removeAt, setAt, valueAt } from "./content.ts";
import { type DeclaringMapping, keysIn } from "./declared-places.ts";
import type { Edit, EditFault, NewValue } from "./edit.ts";

/** What an edit makes of its place in one mapping. */
interface Target {
  readonly edit: Edit;
  readonly value: NewValue;
  readonly fields: JsonObject;
  readonly keys: readonly string[];
}

/**
 * What an edit makes of the mappings that declare its entity: of each that declares its place, where only the first one gains
 * elements, and none where they were `found` before; with `isDeclared` of the first manifest, which declares it then.
 */
export function targetsOf(
  edit: Edit,
  mappings: readonly DeclaringMapping[],
  { isDeclared, isFound }: { readonly isDeclared: boolean; readonly isFound: boolean },
): readonly Target[] {
  const { value } = edit;
  if (isDeclared) {
    const { fields } = mappings.find(({ isInline }) => !isInline) ?? {};
    if (!fields || isFound) return [];
    return [{ edit, value, fields, keys: keysIn(fields, edit) ?? manifestKeys(edit) }];
  }
  const declaring = mappings.flatMap(({ fields }) => {
    const keys = keysIn(fields, edit);
    return keys ? [{ edit, fields, keys }] : [];
  });
  const less: NewValue = value.type === "elements" ? { ...value, add: [] } : value;
  return declaring.map((each, index) => ({ ...each, value: index > 0 || isFound ? less : value }));
}

/** Has a mapping declare another value at a place; or says why it cannot. */
export function declare({ edit: { facet: name }, value, fields, keys }: Target): EditFault | undefined {
  const facet = facetNamed(name);
  const before = valueAt(fields, keys);
  if (value.type === "undeclared") removeAt(fields, keys);
  else if (value.type === "scalar") {
    if (isContainer(before)) return "layout";
    setAt(fields, keys, value.value === null ? null : facet.written(value.value));
  } else {
    const list = before ?? [];
    if (!isJsonList(list)) return "layout";
    if (before === undefined) setAt(fields, keys, list);
    changeElements(list, name, value);
  }
  return undefined;
}

/** An element that is there already is not added again, however it is written. */
function changeElements(
  list: readonly Json[],
  name: string,
  { add, remove }: Extract<NewValue, { readonly type: "elements" }>,
): void {
  const facet = facetNamed(name);
  const keyOf = (element: Json): string | undefined => {
    const parsed = facet.parse(element);
    return "value" in parsed && parsed.value !== null ? memberKey(parsed.value as Member) : undefined;
  };
  const elements = list.map((element) => ({ element, key: keyOf(element) }));
  const [had, gone] = [new Set(elements.map(({ key }) => key)), new Set<unknown>(remove.map(memberKey))];
  const kept = elements.filter(({ key }) => !gone.has(key)).map(({ element }) => element);
  const added = add.filter((member) => !had.has(memberKey(member))).map((member) => facet.written(member));
  // The content of a document can be changed.
  const changed = list as Json[];
  changed.length = 0;
  appendTo(changed, [...kept, ...added]);
}
