/** Unpacks the entries of a page from compressed JSON (raw deflate) in Base64. */

/** Unpacks the items from all texts. Each text contains a packed list of items. */
export async function unpacked<Item>(texts: readonly string[]): Promise<readonly Item[]> {
  const lists = await Promise.all(texts.map((text) => listIn<Item>(text)));
  return lists.flat();
}

async function listIn<Item>(text: string): Promise<readonly Item[]> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return (await new Response(stream).json()) as readonly Item[];
}
