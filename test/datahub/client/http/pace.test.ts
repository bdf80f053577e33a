import { expect, test } from "vitest";
import { createPace, type Pace } from "../../../../src/datahub/client/http/pace.ts";

/** A pace, and a clock that it is asked at. */
function paced() {
  const clock = { time: 10_000 };
  const pace = createPace(() => clock.time);
  return { clock, pace };
}

/** Begins requests as soon as they may, and tells when. */
function begin(count: number, clock: { time: number }, pace: Pace): readonly number[] {
  return Array.from({ length: count }, () => {
    clock.time = Math.max(clock.time, pace.nextStart());
    pace.noteStart(clock.time);
    return clock.time;
  });
}

test("nothing is held back before the server has refused a request", () => {
  const { clock, pace } = paced();
  expect(new Set(begin(100, clock, pace))).toEqual(new Set([10_000]));
});

test("after a refusal no more begin within a second than the server took in one", () => {
  const { clock, pace } = paced();
  begin(21, clock, pace);
  pace.noteRefusal(10_000);

  clock.time = 12_000;
  const starts = begin(100, clock, pace);

  expect(starts.filter((start) => start === 12_000)).toHaveLength(20);
  for (const [index, start] of starts.entries()) {
    expect(start - (starts[index - 20] ?? 0)).toBeGreaterThanOrEqual(1000);
  }
  // And not much fewer.
  expect((starts.at(-1) ?? 0) - 12_000).toBeLessThan(5000);
});

test("a refusal among few requests tells nothing of a rate", () => {
  const { clock, pace } = paced();
  begin(5, clock, pace);
  pace.noteRefusal(10_000);
  expect(new Set(begin(100, clock, pace))).toEqual(new Set([10_000]));
});

/** How many may begin at once, after more than a second without any. */
function mostAtOnce(clock: { time: number }, pace: Pace): number {
  clock.time += 2000;
  const { time } = clock;
  return begin(100, clock, pace).filter((start) => start === time).length;
}

function answerWell(count: number, pace: Pace): void {
  for (let index = 0; index < count; index += 1) pace.noteGood();
}

/** A pace that has learned a limit of 20. */
function limited() {
  const { clock, pace } = paced();
  begin(21, clock, pace);
  pace.noteRefusal(10_000);
  return { clock, pace };
}

test("after 400 good answers one more may begin, after 400 others two more", () => {
  const { clock, pace } = limited();
  answerWell(400, pace);
  expect(mostAtOnce(clock, pace)).toBe(21);
  answerWell(400, pace);
  expect(mostAtOnce(clock, pace)).toBe(23);
});

test("what is refused on trial is taken back, and tried again after twice as many good answers", () => {
  const { clock, pace } = limited();
  answerWell(400, pace);
  clock.time += 2000;
  begin(21, clock, pace);
  pace.noteRefusal(clock.time);
  expect(mostAtOnce(clock, pace)).toBe(20);
  answerWell(799, pace);
  expect(mostAtOnce(clock, pace)).toBe(20);
  answerWell(1, pace);
  expect(mostAtOnce(clock, pace)).toBe(21);
});

test("requests that were under way together are refused for one reason", () => {
  const { clock, pace } = paced();
  const starts = begin(24, clock, pace);
  clock.time += 50;
  for (const start of starts.slice(20)) pace.noteRefusal(start);
  expect(mostAtOnce(clock, pace)).toBe(20);
});

test("a refusal at a limit that is known makes the second longer, and only then the limit lower", () => {
  const { clock, pace } = limited();
  const refusedAgain = (): number => {
    clock.time += 2000;
    begin(20, clock, pace);
    pace.noteRefusal(clock.time);
    return mostAtOnce(clock, pace);
  };
  const spans = [refusedAgain(), refusedAgain()];
  expect(spans).toEqual([20, 19]);
});

test("a server that takes much less than before sets a new limit", () => {
  const { clock, pace } = limited();
  clock.time += 2000;
  begin(13, clock, pace);
  pace.noteRefusal(clock.time);
  expect(mostAtOnce(clock, pace)).toBe(12);
});

test("a limit that was counted at the edge of a second is counted again after a pause, once", () => {
  const { clock, pace } = paced();
  begin(5, clock, pace);
  clock.time += 1050;
  begin(15, clock, pace);
  pace.noteRefusal(clock.time);
  expect(mostAtOnce(clock, pace)).toBe(100);
});
