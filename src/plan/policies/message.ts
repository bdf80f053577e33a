/** Defines the placeholders in policy messages, and replaces them with their values. */

import type { Asset, AssetColumn } from "../../model/rule.ts";
import { idOrUrn } from "../../model/identifier.ts";

type TextOf = (asset: Asset, column: AssetColumn | undefined) => string | undefined;

/** Functions that return a placeholder's text for an entity or one of its columns, keyed by placeholder. */
const texts: Readonly<Record<string, TextOf>> = {
  name: ({ urn, name }) => name ?? idOrUrn(urn),
  urn: ({ urn }) => urn,
  kind: ({ kind }) => kind,
  platform: ({ platform }) => platform,
  env: ({ env }) => env,
  column: (_, column) => column?.name,
};

/** The placeholder names that a message can use in braces. */
export const messageFields: readonly string[] = Object.keys(texts);

/** Replaces the placeholders in a policy's message about an entity or one of its columns. */
export function messageOf(message: string, asset: Asset, column: AssetColumn | undefined): string {
  return message.replaceAll(/\{([a-z]+)\}/g, (written, key: string) => {
    const textOf = Object.hasOwn(texts, key) ? texts[key] : undefined;
    return textOf ? (textOf(asset, column) ?? "") : written;
  });
}
