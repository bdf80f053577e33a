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

test("after 200 good answers one more may begin", () => {
  const { clock, pace } = paced();
  begin(21, clock, pace);
  pace.noteRefusal(10_000);
  for (let index = 0; index < 200; index += 1) pace.noteGood();
  clock.time = 12_000;
  expect(begin(100, clock, pace).filter((start) => start === 12_000)).toHaveLength(21);
});
