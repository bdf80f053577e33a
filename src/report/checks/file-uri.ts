/** A file relative to the working directory as a URI reference, in which nothing but ASCII is left. */
export function fileUri(file: string): string {
  const path = encodeURI(file.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
  // The part before a colon in the first segment would be a scheme (RFC 3986, 4.2).
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}
