/** Formats selection options as a user would type them. */

/** Formats options as they appear on the command line. */
export function flagsText(options: Readonly<Record<string, readonly string[] | undefined>>): string {
  return Object.entries(options)
    .flatMap(([name, values = []]) => values.map((value) => `--${name} ${value}`))
    .join(" ");
}
