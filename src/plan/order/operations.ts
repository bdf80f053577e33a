import { facetNamed, writesFor } from "../../facets/index.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import type { Json } from "../../model/json.ts";
import type { Operation, Proposal, Request } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import type { ParentOf } from "../sides/parents.ts";
import { deletionPhase, phaseOf } from "./order.ts";

type Draft = Omit<Operation, "id">;

/**
 * The writes that carry out a plan. Changes of one aspect are one write; those of one entity stand together; an
 * operation has a later phase than the one that creates what it refers to.
 */
export function operationsOf({ changes }: Pick<Plan, "changes">): readonly Operation[] {
  const fresh = new Set(changes.filter(makesReferenceable).map(({ urn }) => urn));
  const parentOf = parentsAfter(changes);
  const drafts = new Map<string, Draft>();
  const founded = new Set<Urn>();
  for (const change of changes) {
    const add = (asked: Request, phase: number): void => {
      const request = withInitial(asked, change);
      const needs = mentionedIn(request).filter((urn) => fresh.has(urn));
      const key = keyOfRequest(request) ?? `${drafts.size}`;
      const known = drafts.get(key);
      const isOfItself = request.type === "proposal" && request.urn === change.urn;
      const creates = isOfItself && makesReferenceable(change) ? { creates: change.urn } : {};
      const draft = { request, lock: lockOf(request, change), phase, needs, ...creates, changes: [change] };
      drafts.set(key, known ? mergeInto(known, draft) : draft);
    };
    if (change.action === "create" && !founded.has(change.urn)) {
      founded.add(change.urn);
      const { kind, urn } = change;
      for (const request of creationRequests(change)) add(request, phaseOf({ kind, urn }, parentOf));
    }
    const own = isFacetChange(change) ? writesFor(change) : [];
    for (const { request } of own) add(request, phaseOf(change, parentOf));
    if (change.action === "delete") {
      for (const request of deletionOf(change)) add(request, deletionPhase(change.kind, drafts.size));
    }
  }
  return [...drafts.values()]
    .toSorted((a, b) => a.phase - b.phase)
    .map((draft, index) => ({ id: `${index + 1}`, ...draft }));
}

function deletionOf({ kind, urn }: Change): readonly Request[] {
  const { deletion } = kindOf(kind);
  if (!deletion) return [];
  return [
    { type: "mutation", field: deletion.mutation, args: [{ name: "urn", type: "String!", value: urn }] },
  ];
}

/** Requests with the same key are one: they edit the same aspect. */
function keyOfRequest(request: Request): string | undefined {
  return request.type === "proposal" && !request.drop ? `${request.urn} ${request.aspect}` : undefined;
}

/** Whether a change makes an entity one that others can refer to. */
function makesReferenceable(change: Change): boolean {
  return change.action === "create" || (isFacetChange(change) && facetNamed(change.facet).makesReferenceable);
}

/** The parents that the changes give to entities. */
function parentsAfter(changes: readonly Change[]): ParentOf {
  const parents = new Map<Urn, Urn>();
  for (const change of changes) {
    const isParent = change.shape === "scalar" && change.facet === kindOf(change.kind).parentFacet;
    if (isParent && isUrn(change.after)) parents.set(change.urn, change.after);
  }
  return (urn) => parents.get(urn);
}

/** The requests that create an entity: its first aspects with what they must hold. */
function creationRequests({ kind, urn }: Change): readonly Proposal[] {
  return Object.entries(kindOf(kind).initial(keyOf(urn))).map(([aspect, initial]) => {
    return { type: "proposal", urn, aspect, initial, set: {} };
  });
}

function mergeInto(first: Draft, second: Draft): Draft {
  if (first.request.type !== "proposal" || second.request.type !== "proposal") return first;
  const request: Proposal = {
    ...first.request,
    initial: { ...first.request.initial, ...second.request.initial },
    set: { ...first.request.set, ...second.request.set },
  };
  const changes = [...new Set([...first.changes, ...second.changes])];
  return { ...first, request, needs: [...new Set([...first.needs, ...second.needs])], changes };
}

/** What the server rewrites: the entity, or what the facet says. */
function lockOf(request: Request, change: Change): string {
  if (request.type === "proposal" && !request.drop) return request.urn;
  return (isFacetChange(change) ? facetNamed(change.facet).lock : undefined) ?? change.urn;
}

/** The entities that a request names: it cannot be sent without them. */
function mentionedIn(request: Request): readonly Urn[] {
  const values =
    request.type === "mutation" ? request.args.map(({ value }) => value) : Object.values(request.set);
  const own = request.type === "proposal" ? [request.urn] : [];
  return [...new Set([...own, ...values.flatMap(urnsIn)])];
}

function urnsIn(value: Json | undefined): readonly Urn[] {
  if (isUrn(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(urnsIn) : [];
}

// An entity may exist without the aspect that a field is in; what the aspect must hold comes with it then.
function withInitial(request: Request, { kind, urn }: Change): Request {
  if (request.type !== "proposal" || request.urn !== urn) return request;
  const initial = kindOf(kind).initial(keyOf(urn))[request.aspect];
  return initial ? { ...request, initial } : request;
}
