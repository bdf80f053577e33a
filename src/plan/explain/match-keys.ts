import { kindOf } from "../../kinds/index.ts";
import type { Asset, MatchKey } from "../../model/rule.ts";
import { isUrn, keyOf } from "../../model/urn.ts";

/** What an asset has of a key by which rules match it. Of a thing with an id and a URN its id. */
export function textsOfKey(asset: Asset, key: MatchKey): readonly string[] {
  const matchedBy = kindOf(asset.kind).matchedBy?.find((each) => each.key === key);
  const texts = matchedBy?.textsOf(asset) ?? [];
  return texts.filter((text) => !isUrn(text) || !texts.includes(keyOf(text)));
}

/** Every key of an asset with what it has of it. */
export function keysOf(asset: Asset): Readonly<Record<MatchKey, readonly string[]>> {
  const keys = kindOf(asset.kind).matchedBy ?? [];
  return Object.fromEntries(keys.map(({ key }) => [key, textsOfKey(asset, key)]));
}
