/** Texts by name, each behind a line `-- name --`, and what stands before the first: Go's txtar format. */
export interface Archive {
  readonly comment: string;
  readonly parts: ReadonlyMap<string, string>;
}

/** Reads an archive. Throws when two parts have the same name. */
export function parseArchive(text: string): Archive {
  const [comment = "", ...pieces] = text.split(/^-- (.+) --\n/m);
  const parts = new Map<string, string>();
  for (let index = 0; index < pieces.length; index += 2) {
    const [name = "", content = ""] = pieces.slice(index, index + 2);
    if (parts.has(name)) throw new Error(`the part ${name} occurs twice`);
    parts.set(name, content);
  }
  return { comment, parts };
}

/** The text of an archive. Every part ends with a line end. */
export function printArchive({ comment, parts }: Archive): string {
  const pieces = [...parts].map(([name, content]) => `-- ${name} --\n${withLineEnd(content)}`);
  return [comment, ...pieces].join("");
}

function withLineEnd(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
