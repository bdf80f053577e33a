import type { Explanation, ExplainedAsset } from "../../model/explanation.ts";
import { called } from "../called.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";
import { placeOf } from "./change-text.ts";
import { explainedFacetText } from "./explained-facet-text.ts";
import { explainedRulesText } from "./explained-rules-text.ts";

/** An explanation as text: the entity, its facets, and the rules. Ends in a line break. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { facets, rules, asset } = explanation;
  const blocks = [
    headText(explanation, paint),
    ...facets.map((facet) => explainedFacetText(facet, explanation.names, paint)),
    ...(facets.length === 0 ? ["Nothing is declared, and the catalog has no values.\n"] : []),
    ...(asset ? [explainedRulesText(rules, paint)] : []),
  ];
  return blocks.join("\n");
}

function headText({ kind, urn, names, exists, documents, asset, facets }: Explanation, paint: Paint): string {
  const lines = [
    ...(exists ? [] : ["  not in the catalog yet: apply creates it"]),
    ...documents.map((source) => `  declared in ${paint("dim", placeOf(source))}`),
    ...(documents.length === 0 ? [`  ${undocumentedText(facets)}`] : []),
    ...(asset ? assetLines(asset) : []),
  ];
  const head = `${paint("bold", kind)} ${printable(called(urn, names))}\n`;
  return head + lines.map((line) => `${line}\n`).join("");
}

function undocumentedText(facets: Explanation["facets"]): string {
  const declarations = facets.flatMap(({ desired = [] }) => desired.flatMap(({ declaredBy }) => declaredBy));
  const isOfOthers = declarations.some(({ rule }) => rule === undefined);
  return isOfOthers ? "only documents of other entities declare something of it" : "no document declares it";
}

// The URN stands above.
function assetLines({ keys, column }: ExplainedAsset): readonly string[] {
  const known = Object.entries(keys).filter(([key, texts]) => key !== "urn" && texts.length > 0);
  const lines = known.map(([key, texts]) => `  ${key}: ${printable(texts.join(", "))}`);
  if (!column) return lines;
  const { name, path, nativeType } = column;
  const type = nativeType === undefined ? "" : `, of type ${nativeType}`;
  return [...lines, `  column: ${printable(`${name}${name === path ? "" : `, at ${path}`}${type}`)}`];
}
