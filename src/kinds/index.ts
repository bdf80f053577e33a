import type { KindName } from "../model/state.ts";
import { container } from "./container.ts";
import { dataset } from "./dataset.ts";
import { domain } from "./domain.ts";
import { group } from "./group.ts";
import type { Kind } from "./kind.ts";
import { tag } from "./tag.ts";
import { user } from "./user.ts";

/** Every kind, in the order in which they are written: what others refer to comes first. */
export const kinds: readonly Kind[] = [domain, tag, user, group, dataset, container];

const byName: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.name, kind]));

/** The kind of that name; `undefined` for a text that is none. */
export function findKind(name: string): Kind | undefined {
  return byName.get(name);
}

/** The kind of that name. */
export function kindOf(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no kind is named ${name}`);
  return kind;
}

/** Whether entities of a kind are definitions: created and kept by manifests, not only enriched. */
export function isDefinitionKind(name: KindName): boolean {
  return kindOf(name).lifecycle === "owned";
}
