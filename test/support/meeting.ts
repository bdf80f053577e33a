/** A place where callers wait until so many of them are there; then all go on. */
export function meetingOf(size: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  return () =>
    new Promise((goOn) => {
      waiting.push(goOn);
      if (waiting.length < size) return;
      for (const each of waiting) each();
      waiting = [];
    });
}
