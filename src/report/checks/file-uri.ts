/** Writes the path of a file as a URI reference. */

/** A file, relative to the working directory, as a URI reference of ASCII characters. */
export function fileUri(file: string): string {
  const path = encodeURI(file.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
  // Without `./`, a colon in the first segment would end a scheme (RFC 3986, 4.2).
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}
