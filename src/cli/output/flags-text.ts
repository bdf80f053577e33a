/** Writes selection options the way a user types them. */

/** Writes the given options as on the command line. */
export function flagsText(options: Readonly<Record<string, readonly string[] | undefined>>): string {
  return Object.entries(options)
    .flatMap(([name, values = []]) => values.map((value) => `--${name} ${value}`))
    .join(" ");
}
