/** Parses durations, such as `24h`. */

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** The pattern for a duration: an integer number of seconds, minutes, hours or days. */
export const durationPattern = "^[1-9][0-9]{0,5}[smhd]$";

/** Converts a duration that matches `durationPattern` to milliseconds. */
export function durationOf(text: string): number {
  const unit = text.slice(-1) as keyof typeof seconds;
  return Number(text.slice(0, -1)) * seconds[unit] * 1000;
}
