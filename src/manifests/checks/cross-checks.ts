import { compareText } from "../../model/json.ts";
import type { Problem, ProblemTable } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Declaration, DeclaredList } from "../declaration.ts";
import { errorAt } from "../problem.ts";
import { undeclaredReferences } from "./undeclared-references.ts";

/**
 * What is wrong between manifests. References to what is not declared are looked for only in a `complete`
 * reading: what is missing might stand in the part that could not be read.
 */
export function crossProblems(
  state: State,
  declarations: readonly Declaration[],
  complete: boolean,
): readonly Problem[] {
  const undeclared = complete ? undeclaredReferences(state, declarations) : [];
  return [...cyclicDomains(declarations), ...contradictions(declarations), ...undeclared];
}

type Lists = ReadonlyMap<Urn, DeclaredList>;

function listsOf(declarations: readonly Declaration[], field: string): Lists {
  const lists = new Map<Urn, DeclaredList>();
  for (const { entity, fields } of declarations) {
    const list = fields.get(field);
    if (list) lists.set(entity.urn, list);
  }
  return lists;
}

/** One problem a circle, at its first domain by URN. */
function cyclicDomains(declarations: readonly Declaration[]): readonly Problem[] {
  const lists = listsOf(declarations, "parent_domain");
  const done = new Set<Urn>();
  const problems: Problem[] = [];
  for (const start of [...lists.keys()].toSorted(compareText)) {
    const cycle = circleFrom(start, lists, done);
    const [first = start] = cycle.toSorted(compareText);
    const at = lists.get(first)?.origin;
    if (cycle.length > 0 && at)
      problems.push(errorAt(at, "cyclic-domains", { cycle: rotated(cycle, first) }));
  }
  return problems;
}

function circleFrom(start: Urn, lists: Lists, done: Set<Urn>): readonly Urn[] {
  const path = new Map<Urn, number>();
  let current: Urn | undefined = start;
  while (current !== undefined && !done.has(current)) {
    done.add(current);
    path.set(current, path.size);
    const [parent]: Urn[] = [...(lists.get(current)?.members.keys() ?? [])];
    if (parent !== undefined && path.has(parent)) return [...path.keys()].slice(path.get(parent));
    current = parent;
  }
  return [];
}

function rotated(cycle: readonly Urn[], first: Urn): readonly Urn[] {
  const at = cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at), first];
}

/** A membership that one side lists and the other side, whose list is declared too, leaves out. */
function contradictions(declarations: readonly Declaration[]): readonly Problem[] {
  const groupsOfUser = listsOf(declarations, "groups");
  const membersOfGroup = listsOf(declarations, "members");
  return [
    ...oneSided(groupsOfUser, membersOfGroup, (user, group) => ({ user, group, by: "user" })),
    ...oneSided(membersOfGroup, groupsOfUser, (group, user) => ({ user, group, by: "group" })),
  ];
}

function oneSided(
  lists: Lists,
  others: Lists,
  args: (from: Urn, to: Urn) => ProblemTable["contradicting-membership"],
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [from, { members }] of lists) {
    for (const [to, origin] of members) {
      const other = others.get(to);
      if (other && !other.members.has(from)) {
        problems.push(errorAt(origin, "contradicting-membership", args(from, to), other.origin));
      }
    }
  }
  return problems;
}
