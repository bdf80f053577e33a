/** The local catalog cannot do what it was asked to at its start or on a load; the message says what, where, and what to do. */
export class LocalCatalogError extends Error {
  override readonly name = "LocalCatalogError";
}
