import { facetNamed } from "../../src/facets/index.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { Path } from "../../src/model/place.ts";
import type { KindName, Member, Scalar } from "../../src/model/state.ts";
import type { Edit, Write } from "../../src/model/operation.ts";
import type { Urn } from "../../src/model/urn.ts";
import { writesFor } from "../../src/facets/writes.ts";
import { datasetNamed, urn } from "../support/states.ts";

/** The dataset whose facets change, where no other entity is named. */
export const dataset = datasetNamed("a");

/** What a change is about; the kind is the first that has the facet. */
interface Subject {
  readonly kind?: KindName;
  readonly urn?: Urn | string;
  readonly path?: Path;
}

/** A change of a set. */
export function setChange(
  facet: string,
  add: readonly Member[],
  remove: readonly Member[] = [],
  subject: Subject = {},
): FacetChange {
  return { ...aboutOf(facet, subject), shape: "set", add, remove };
}

/** A change of a single value. */
export function scalarChange(facet: string, after: Scalar, subject: Subject = {}): FacetChange {
  return { ...aboutOf(facet, subject), shape: "scalar", before: null, after };
}

function aboutOf(facet: string, { kind = facetNamed(facet).kinds[0], path, urn: text = dataset }: Subject) {
  if (kind === undefined) throw new Error(`no kind has ${facet}`);
  return {
    action: "update",
    kind,
    urn: urn(text),
    facet,
    fingerprint: "",
    ...(path && { path }),
  } as const;
}

/** The edits that carry out a change on the condition that nobody else has written. */
export function editsOf(change: FacetChange): readonly Edit[] {
  const [write, ...more] = writesFor(change, "conditional");
  if (write?.request.type !== "proposal" || more.length > 0) throw new Error("not one proposal");
  return write.request.edits ?? [];
}

/** What is sent for a change with mutations, each with the elements that it adds or removes. */
export function sentFor(change: FacetChange): readonly Write[] {
  return writesFor(change, "graphql");
}
