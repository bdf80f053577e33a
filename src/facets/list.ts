/** Lists all facets. */

import { columnDescription, description } from "./description.ts";
import { assets, dataProducts } from "./data-products.ts";
import { deprecation } from "./deprecation.ts";
import { domain } from "./domain.ts";
import type { Facet } from "./facet.ts";
import { fields, name } from "./fields.ts";
import { glossaryTerms } from "./glossary-terms.ts";
import { incomplete } from "./incomplete.ts";
import { links } from "./links.ts";
import { groups, members } from "./members.ts";
import { owners } from "./owners.ts";
import { removed } from "./removed.ts";
import { columnStructuredProperties, structuredProperties } from "./structured-properties.ts";
import { allowedValues, cardinality, entityTypes, valueType, version } from "./structured-property-fields.ts";
import { tags } from "./tags.ts";
import { termRelations } from "./term-relations.ts";

/** All facets. To add a facet, define it in a file in this folder, and add the facet to this list. */
export const facets: readonly Facet[] = [
  domain,
  owners,
  ...tags,
  ...glossaryTerms,
  name,
  description,
  columnDescription,
  deprecation,
  links,
  ...fields,
  ...termRelations,
  valueType,
  cardinality,
  allowedValues,
  entityTypes,
  version,
  structuredProperties,
  columnStructuredProperties,
  members,
  groups,
  assets,
  dataProducts,
  incomplete,
  removed,
];
