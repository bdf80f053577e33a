import { expect, test } from "vitest";
import { createPace, type RateLimiter } from "../../../src/datahub/http/rate-limit.ts";

/** A pace, and a clock that it is asked at. */
function paced() {
  const clock = { time: 10_000 };
  const pace = createPace(() => clock.time);
  return { clock, pace };
}

/** Begins requests as soon as they may, each answered at once, and tells when. */
function begin(count: number, clock: { time: number }, pace: RateLimiter): readonly number[] {
  return Array.from({ length: count }, () => {
    const start = beginOne(clock, pace);
    pace.noteEnd(start, false);
    return start;
  });
}

function beginOne(clock: { time: number }, pace: RateLimiter): number {
  clock.time = Math.max(clock.time, pace.nextStart());
  pace.noteStart(clock.time);
  return clock.time;
}

/** Begins as many requests, of which the server refuses the last one. */
function beginRefused(count: number, clock: { time: number }, pace: RateLimiter): void {
  begin(count - 1, clock, pace);
  pace.noteRefusal(beginOne(clock, pace));
}

test("nothing is held back before the server has refused a request", () => {
  const { clock, pace } = paced();
  expect(new Set(begin(100, clock, pace))).toEqual(new Set([10_000]));
});

test("after a refusal no more begin within a second than the server took in one", () => {
  const { clock, pace } = paced();
  beginRefused(21, clock, pace);

  clock.time = 12_000;
  const starts = begin(100, clock, pace);

  expect(starts.filter((start) => start === 12_000)).toHaveLength(20);
  expect(new Set(starts)).toEqual(new Set([12_000, 13_000, 14_000, 15_000, 16_000]));
});

test("a refusal among few requests tells nothing of a rate", () => {
  const { clock, pace } = paced();
  beginRefused(6, clock, pace);
  expect(new Set(begin(100, clock, pace))).toEqual(new Set([10_000]));
});

/** How many may begin at once, after more than a second without any. */
function maxPerRequest(clock: { time: number }, pace: RateLimiter): number {
  clock.time += 2000;
  const { time } = clock;
  return begin(100, clock, pace).filter((start) => start === time).length;
}

function answerWell(count: number, pace: RateLimiter): void {
  for (let index = 0; index < count; index += 1) pace.noteEnd(0, true);
}

/** A pace that has learned a limit of 20. */
function limited() {
  const { clock, pace } = paced();
  beginRefused(21, clock, pace);
  return { clock, pace };
}

test("a request counts until a second after its answer, because the server may have counted it then", () => {
  const { clock, pace } = limited();
  clock.time = 12_000;
  const first = beginOne(clock, pace);
  begin(19, clock, pace);
  clock.time = 12_300;
  expect(pace.nextStart()).toBe(13_000);
  pace.noteEnd(first, false);
  begin(19, clock, pace);
  expect(pace.nextStart()).toBe(13_300);
});

test("after 400 good answers one more may begin, after 400 others two more", () => {
  const { clock, pace } = limited();
  answerWell(400, pace);
  expect(maxPerRequest(clock, pace)).toBe(21);
  answerWell(400, pace);
  expect(maxPerRequest(clock, pace)).toBe(23);
});

test("what is refused on trial is taken back, and tried again after twice as many good answers", () => {
  const { clock, pace } = limited();
  answerWell(400, pace);
  clock.time += 2000;
  beginRefused(21, clock, pace);
  expect(maxPerRequest(clock, pace)).toBe(20);
  answerWell(799, pace);
  expect(maxPerRequest(clock, pace)).toBe(20);
  answerWell(1, pace);
  expect(maxPerRequest(clock, pace)).toBe(21);
});

test("requests that were under way together are refused for one reason", () => {
  const { clock, pace } = paced();
  begin(20, clock, pace);
  const refused = Array.from({ length: 4 }, () => beginOne(clock, pace));
  clock.time += 50;
  for (const start of refused) pace.noteRefusal(start);
  expect(maxPerRequest(clock, pace)).toBe(20);
});

test("a refusal at the limit that is known lowers it by one", () => {
  const { clock, pace } = limited();
  clock.time += 2000;
  beginRefused(20, clock, pace);
  expect(maxPerRequest(clock, pace)).toBe(19);
});

test("a server that takes much less than before sets a new limit", () => {
  const { clock, pace } = limited();
  clock.time += 2000;
  beginRefused(13, clock, pace);
  expect(maxPerRequest(clock, pace)).toBe(12);
});

test("where requests ended at the edge of the second, the limit is raised soon by as many", () => {
  const { clock, pace } = paced();
  const early = [beginOne(clock, pace), beginOne(clock, pace)];
  clock.time += 100;
  for (const start of early) pace.noteEnd(start, false);
  clock.time = 11_050;
  beginRefused(19, clock, pace);
  expect(maxPerRequest(clock, pace)).toBe(18);
  answerWell(20, pace);
  expect(maxPerRequest(clock, pace)).toBe(19);
  answerWell(20, pace);
  expect(maxPerRequest(clock, pace)).toBe(20);
  answerWell(340, pace);
  expect(maxPerRequest(clock, pace)).toBe(20);
});
