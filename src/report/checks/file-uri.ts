/** Converts file paths to URI references. */

/** Returns a file's path, relative to the working directory, as a URI reference in ASCII. */
export function fileUri(file: string): string {
  const path = encodeURI(file.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
  // Without `./`, a colon in the first segment would look like the end of a scheme (RFC 3986, 4.2).
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}
