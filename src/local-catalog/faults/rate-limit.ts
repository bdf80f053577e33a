const second = 1_000;

/** Asks for a place at a time in milliseconds. Returns undefined, or how long to wait if there is none. */
export type RateLimit = (time: number) => number | undefined;

/** Allows at most `perSecond` requests within any second. A request that is not allowed does not count. */
export function rateLimit(perSecond: number): RateLimit {
  const allowed: number[] = [];
  return (time) => {
    while (allowed[0] !== undefined && allowed[0] <= time - second) allowed.shift();
    const [oldest] = allowed;
    if (oldest !== undefined && allowed.length >= perSecond) return oldest + second - time;
    allowed.push(time);
    return undefined;
  };
}
