/** Prints lists and coverage counts as JSON. */

import { listedColumns } from "../../facets/index.ts";
import type { CoverageNumbers, ListedEntity } from "../../model/listing.ts";
import { countRestricted } from "../../model/restricted.ts";
import { isDeclaredOf, valuesIn } from "../../plan/listing/filter.ts";
import { jsonText } from "../json/pieces.ts";
import { printableJson } from "../printable.ts";
import { countColumns, type CoveragePrinter, type ListPrinter } from "./document.ts";

const formatVersion = "1";

/** Prints a list as one JSON document. The last piece closes the document, so a truncated document is not valid JSON. */
export function printListJson(): ListPrinter {
  let before = "\n";
  return {
    head: (target) => {
      const head = jsonText({ formatVersion, target, entities: [] });
      return head.slice(0, head.lastIndexOf("]"));
    },
    entity: (entity) => {
      const text = printableJson(JSON.stringify(entityJson(entity), null, 2));
      const element = `${before}    ${text.replaceAll("\n", "\n    ")}`;
      before = ",\n";
      return element;
    },
    end: ({ unreadable }) => {
      const close = before === "\n" ? "]" : "\n  ]";
      if (unreadable.size === 0) return `${close}\n}\n`;
      const list = [...unreadable].map(([urn, reason]) => ({ urn, reason }));
      const restricted = countRestricted(list.map(({ reason }) => reason));
      return `${close},${jsonText({ unreadable: list, ...(restricted > 0 && { restricted }) }).slice(1)}`;
    },
  };
}

function entityJson(entity: ListedEntity): object {
  const { urn, column, kind, name, platform, env, facets } = entity;
  const values = listedColumns.map((facet) => {
    const found = valuesIn(facets.get(facet.name));
    return [facet.name, facet.shape === "set" ? found : (found[0] ?? null)] as const;
  });
  return {
    urn,
    column,
    kind,
    name,
    platform,
    env,
    ...Object.fromEntries(values),
    declared: isDeclaredOf(entity),
    violates: entity.violates,
  };
}

/** Prints counts as JSON. */
export const printCoverageJson: CoveragePrinter = (coverage) => {
  const { target, createdAt, by, difference, restricted } = coverage;
  return jsonText({
    formatVersion,
    target,
    createdAt,
    by,
    ...numbersJson(coverage),
    ...(restricted !== undefined && { restricted }),
    ...(difference && { difference: { since: difference.since, ...numbersJson(difference) } }),
  });
};

function numbersJson({ groups, total, policies }: CoverageNumbers): object {
  return {
    groups: groups.map((group) => ({ key: group.key, ...countColumns(group) })),
    total: countColumns(total),
    policies,
  };
}
