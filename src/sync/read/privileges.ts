/** Defines the privileges that a token needs for writes. */

import { facetNamed } from "../../facets/index.ts";
import { kindOf, kindOfUrn } from "../../kinds/index.ts";
import type { Privilege } from "../../kinds/kind.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Urn } from "../../model/urn.ts";

/** The privilege to write all aspects of most entities. */
export const editEntity: Privilege = { name: "EDIT_ENTITY", title: "Edit Entity" };

/** Returns a message with the privilege that the first denied operation requires and the number of other missing privileges. */
export function missingPrivilegeText(operations: readonly Operation[]): string {
  const needs = operations.flatMap(({ request, changes: [change] }) => {
    if (request.type === "proposal") return needOf(privilegeOfAspects(request.urn), request.urn);
    return change ? needOf(privilegeOf(change), change.urn) : [];
  });
  const [first = needOf(editEntity, "the entity"), ...others] = new Set(needs);
  return `the token needs the privilege ${first}${others.length > 0 ? `, and ${others.length} more` : ""}`;
}

/** Returns a message about the privilege that is required to write an entity's aspects. */
export function missingAspectPrivilegeText(urn: Urn): string {
  return `the token needs the privilege ${needOf(privilegeOfAspects(urn), urn)}`;
}

/** Returns a privilege's label: its name in policies and its title in the UI. */
export function privilegeLabel({ name, title }: Privilege): string {
  return `${name} ("${title}")`;
}

function needOf(privilege: Privilege, urn: string): string {
  return `${privilegeLabel(privilege)} on ${urn}`;
}

/** Returns the privilege that is required to write an entity's aspects through the REST API. */
export function privilegeOfAspects(urn: Urn): Privilege {
  return kindOfUrn(urn)?.privilege ?? editEntity;
}

function privilegeOf(change: Change): Privilege {
  const { privilege } = isFacetChange(change)
    ? facetNamed(change.facet)
    : (kindOf(change.kind).deletion ?? {});
  return privilege ?? editEntity;
}
