import { displayNamesOf } from "../../facets/display-names.ts";
import type { Existence } from "../../model/reference.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";
import type { Held, Snapshot } from "./snapshot.ts";

/** What the lists of a snapshot say of a definition. */
type Status = Exclude<Existence["status"], "unreadable">;

/** Says of URNs whether a snapshot lists them: `undefined` where it has no list of all entities of their type. */
export function listedIn({
  definitions = [],
}: Pick<Snapshot, "definitions">): (urn: Urn) => Status | undefined {
  const lists = new Map(
    definitions.map(({ type, urns, softDeleted }) => [
      type,
      { all: new Set(urns), softDeleted: new Set(softDeleted) },
    ]),
  );
  return (urn) => {
    const list = lists.get(entityTypeOf(urn));
    if (!list) return undefined;
    if (list.softDeleted.has(urn)) return "soft-deleted";
    return list.all.has(urn) ? "present" : "absent";
  };
}

/** What a server answers of a definition that is not there, and of another one to the question whether it is there. */
export function heldAs(urn: Urn, status: Status): Held {
  const exists = status !== "absent";
  const aspects =
    status === "soft-deleted" ? [{ aspectName: "status", payload: JSON.stringify({ removed: true }) }] : [];
  const typename = displayNamesOf(entityTypeOf(urn))?.typename ?? null;
  const entity = { urn, __typename: typename, exists, aspects };
  return { exists, entity, ...(!exists && { members: [] }) };
}
