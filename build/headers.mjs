/** What graphql-request needs of `Headers`: it sets names that are not there yet. They are kept as they are written. */
export class Headers extends Map {
  /** @param {Readonly<Record<string, string>>} [init] */
  constructor(init = {}) {
    super(Object.entries(init));
  }
}
