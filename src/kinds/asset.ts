/** Builds kinds for assets: observed entities whose URNs consist of a platform, a name and other parts. */

import { type JsonObject, textOf } from "../model/json.ts";
import { assetPartsOf, assetUrn } from "../model/asset-urn.ts";
import { encodePart, plainPart, type Urn, type UrnFault } from "../model/urn.ts";
import { partsOfType, type UrnPart } from "../model/urn-parts.ts";
import { assetFields, defaultCluster, type FieldExamples } from "./asset-fields.ts";
import { editedDescription, identityIn, typedOfAssets } from "./build.ts";
import type { Identity, Kind, SearchFilter } from "./kind.ts";
import { type MatchedBy, matchKeysOf } from "./match-key.ts";
import { knownPlatforms } from "./platforms.ts";

/** The properties that differ between asset kinds. */
interface AssetKind<Name extends string> extends Pick<
  Kind<Name>,
  "name" | "noun" | "plural" | "entityType" | "typename" | "searchType" | "page"
> {
  readonly examples: FieldExamples;
  /** The example of a description in the JSON Schema. */
  readonly describedAs: string;
  /** Additional keys by which rules can match the assets. DataHub stores their values in aspects, not in the URN. */
  readonly has?: readonly ("container" | "subtype")[];
  /** If true, the container is read from the stored aspect, because older releases do not return it in GraphQL. */
  readonly isContainerStored?: boolean;
  readonly hasColumns?: boolean;
}

/** Builds the kind for an asset type. */
export function assetKind<Name extends string>({
  examples,
  describedAs,
  has = [],
  isContainerStored = false,
  hasColumns = false,
  ...kind
}: AssetKind<Name>): Kind<Name> {
  const { entityType } = kind;
  const parts = partsOfType(entityType);
  const fields = assetFields(parts, examples);
  const keys = matchKeysOf(["platform", "platform_instance", "name", "urn", ...partKeys(parts), ...has]);
  const matchedBy = keys.map((each) =>
    each.key === "container" && isContainerStored ? { ...each, isRaw: true as const } : each,
  );
  return {
    ...kind,
    lifecycle: "observed",
    softDeletable: true,
    ownable: true,
    isDescribed: true,
    isDeprecatable: true,
    hasStructuredProperties: true,
    // DataHub stores a browse path for every asset, so an asset without one is probably a shell (DefaultAspectsUtil.java).
    shell: {
      sign: "browsePathV2 { __typename }",
      typed: [...typedOfAssets, ["browsePathsV2", "browsePathV2 { __typename }"]],
    },
    descriptions: { description: editedDescription },
    examples: { description: [describedAs] },
    storage: {},
    asset: {
      nameOf: (urn) => plainPart(assetPartsOf(urn).name),
      platformOf: (urn) => assetPartsOf(urn).platform,
      called: (name) => {
        const inPlace = namedInUrn(parts, encodePart(name));
        return [[inUrn(inPlace)], [{ ...inUrn(inPlace), values: [inPlace] }]];
      },
    },
    matchedBy,
    matching: {
      hasColumns,
      partsOf: (urn) => {
        const { platform, name, fabric, flow, cluster } = assetPartsOf(urn);
        return {
          platform,
          name: plainPart(name),
          ...(fabric !== undefined && { env: fabric }),
          ...(flow !== undefined && { flow: plainPart(flow) }),
          ...(cluster !== undefined && { cluster: plainPart(cluster) }),
        };
      },
      indexed: indexedOf(matchedBy),
    },
    similarNames: {
      nameOf: (urn) => assetPartsOf(urn).name,
      filters: (urn) => similarNames(parts, urn),
    },
    fields,
    constraints: {
      if: { required: ["urn"] },
      // oxlint-disable-next-line unicorn/no-thenable -- `then` is a JSON Schema keyword
      then: {
        properties: Object.fromEntries(
          Object.keys(fields).flatMap((key) => (key === "urn" ? [] : [[key, false]])),
        ),
      },
      else: { required: ["platform", ...(parts.includes("flow") ? ["flow"] : []), "name"] },
    },
    namedBy: ["urn", "name"],
    doubtAbout: ({ platform }) => {
      if (platform === undefined) return undefined;
      const { id, prefix } = platformIn(textOf(platform));
      const meant = id.toLowerCase();
      if (meant === id || knownPlatforms.has(id) || !knownPlatforms.has(meant)) return undefined;
      return { field: "platform", expected: "in lower case", suggestion: prefix + meant };
    },
    urnOf: (document) =>
      document["urn"] === undefined ? byParts(entityType, document) : identityIn(document, "urn", entityType),
    identityOf: (urn) => {
      const fieldsInUrn = identifyingFields(urn);
      const named = byParts(entityType, fieldsInUrn);
      return "urn" in named && named.urn === urn ? fieldsInUrn : { urn };
    },
    pathOf: (urn) => {
      const { platform, flow, name, fabric = "PROD", cluster = defaultCluster } = assetPartsOf(urn);
      const place = [fabric === "PROD" ? "" : fabric, cluster === defaultCluster ? "" : cluster, flow ?? ""];
      return [platform, ...place.filter((each) => each !== ""), ...plainPart(name).split(/[./]/)];
    },
    initial: () => ({}),
  };
}

/** Returns the manifest fields that identify an asset, without fields that have their default value. */
function identifyingFields(urn: Urn): JsonObject {
  const { platform, flow, name, fabric, cluster } = assetPartsOf(urn);
  return {
    platform,
    ...(flow !== undefined && { flow: plainPart(flow) }),
    name: plainPart(name),
    ...(fabric !== undefined && fabric !== "PROD" && { env: fabric }),
    ...(cluster !== undefined && cluster !== defaultCluster && { cluster: plainPart(cluster) }),
  };
}

/** Returns the match keys for URN parts other than platform and name. */
function partKeys(parts: readonly UrnPart[]): readonly string[] {
  if (parts.includes("flow")) return ["flow", "cluster"];
  if (parts.includes("cluster")) return ["cluster"];
  return parts.includes("fabric") ? ["env"] : [];
}

/** Maps match keys to the corresponding fields in DataHub's search index. */
function indexedOf(matchedBy: readonly MatchedBy[]): NonNullable<Kind["matching"]>["indexed"] {
  const fields = { platform: "platform", env: "origin", container: "container", subtype: "typeNames" };
  const keys = new Set(matchedBy.map(({ key }) => key));
  return Object.fromEntries(Object.entries(fields).filter(([key]) => keys.has(key)));
}

function platformIn(text: string): { readonly prefix: string; readonly id: string } {
  const prefix = "urn:li:dataPlatform:";
  return text.startsWith(prefix) ? { prefix, id: text.slice(prefix.length) } : { prefix: "", id: text };
}

function byParts(entityType: string, document: JsonObject): Identity {
  const instance = document["platform_instance"];
  const name = textOf(document["name"]);
  const result = assetUrn(entityType, {
    platform: textOf(document["platform"]),
    flow: textOf(document["flow"] ?? ""),
    name: instance === undefined ? name : `${textOf(instance)}.${name}`,
    fabric: textOf(document["env"] ?? "PROD"),
    cluster: textOf(document["cluster"] ?? defaultCluster),
  });
  return "urn" in result ? result : { ...result, field: blamed[result.fault.reason] ?? "name" };
}

/**
 * Returns searches for names that may differ only by a typo. They find the same name on any platform. On the same platform, they
 * also find names with the same last segment, ignoring case, and names in the same parent whose last segment begins or ends the
 * same way. A single typo leaves either the beginning or the end unchanged.
 */
function similarNames(parts: readonly UrnPart[], urn: Urn): readonly (readonly SearchFilter[])[] {
  const { platform, name } = assetPartsOf(urn);
  const on: SearchFilter = { field: "platform", values: [`urn:li:dataPlatform:${platform}`] };
  const place = name.slice(0, name.lastIndexOf(".") + 1);
  const last = name.slice(place.length);
  const kept = Math.floor((last.length - 1) / 2);
  return [
    [on, inUrn(namedInUrn(parts, last).slice(1))],
    [on, inUrn(`,${place}${last.slice(0, kept)}`)],
    [on, inUrn(`,${place}`), inUrn(namedInUrn(parts, last.slice(last.length - kept)).slice(1))],
    [inUrn(namedInUrn(parts, name))],
  ];
}

/** Returns a name together with the characters that surround it in a URN. */
function namedInUrn(parts: readonly UrnPart[], name: string): string {
  return `,${name}${parts.at(-1) === "id" ? ")" : ","}`;
}

// Searches use lower case. On older servers, searches are case-sensitive, but most stored names are in lower case. Newer servers
// ignore case (ESUtils.java).
function inUrn(text: string): SearchFilter {
  return { field: "urn", condition: "CONTAIN", values: [text.toLowerCase()] };
}

// The field that causes each URN fault. Stray parentheses and commas come from the platform id, because names are encoded in
// URNs.
const blamed: Readonly<Partial<Record<UrnFault["reason"], string>>> = {
  platform: "platform",
  brackets: "platform",
  "asset-parts": "platform",
  fabric: "env",
};
