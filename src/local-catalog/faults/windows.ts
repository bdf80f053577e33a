/** Holds mutations between their read and their write. */
export interface Windows {
  /**
   * Waits until another mutation has read one of these entities, too, or until the time is over. So two mutations that
   * could meet do meet, however fast the machine is.
   */
  wait(urns: ReadonlySet<string>, milliseconds: number): Promise<void>;
  /** Ends all that wait. */
  release(): void;
}

interface Waiting {
  readonly urns: ReadonlySet<string>;
  readonly end: () => void;
}

/** The windows of one catalog. */
export function openWindows(): Windows {
  const waiting = new Set<Waiting>();
  return {
    wait(urns, milliseconds) {
      const others = [...waiting].filter((other) => [...urns].some((urn) => other.urns.has(urn)));
      for (const { end } of others) end();
      if (others.length > 0) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(own);
          resolve();
        };
        const own: Waiting = { urns, end };
        // An end of the process does not wait for it.
        const timer = setTimeout(end, milliseconds).unref();
        waiting.add(own);
      });
    },
    release() {
      for (const { end } of waiting) end();
    },
  };
}
