import type { Asset, AssetColumn } from "../../model/rule.ts";
import { shortestOf } from "../../model/identifier.ts";

/** What a message can name in braces. */
export const messageFields: readonly string[] = Object.keys(textsOf({}));

/** The message of a policy about an entity or one of its columns. */
export function messageOf(message: string, asset: Asset, column: AssetColumn | undefined): string {
  const texts = textsOf(asset, column);
  return message.replaceAll(/\{([a-z]+)\}/g, (written, key: string) => texts[key] ?? written);
}

function textsOf(
  { urn, kind = "", name, platform = "", env = "" }: Partial<Asset>,
  column?: AssetColumn,
): Readonly<Record<string, string>> {
  const called = name ?? (urn ? shortestOf(urn) : "");
  return { name: called, urn: urn ?? "", kind, platform, env, column: column?.name ?? "" };
}
