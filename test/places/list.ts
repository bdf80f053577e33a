import type { Facet } from "../../src/facets/facet.ts";
import { facets as own } from "../../src/facets/list.ts";
import { edgeFacets, testFacets } from "./facets.ts";

/** The facets of the product, and those of the tests. */
export const facets: readonly Facet[] = [...own, ...testFacets, ...edgeFacets];
