import { expect, test } from "vitest";
import { createQueue } from "../../../src/sync/write/queue.ts";
import { meetingOf } from "../../support/meeting.ts";

test("jobs that share a lock run one after the other, as they come, also when one fails", async () => {
  const queue = createQueue(4);
  const log: string[] = [];
  const job = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (name === "a") throw new Error(name);
  };

  const first = queue(["x"], job("a"));
  const others = [queue(["y", "x"], job("b")), queue(["y"], job("c"))];

  await expect(first).rejects.toThrow("a");
  await Promise.all(others);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("jobs that share no lock run side by side, as many as are allowed", async () => {
  const queue = createQueue(2);
  const two = meetingOf(2);
  await Promise.all(["a", "b", "c", "d"].map((lock) => queue([lock], two)));
});

test("a job that waits for a lock takes no place of another", async () => {
  const queue = createQueue(2);
  const two = meetingOf(2);
  // The second waits for the first, which waits for the third to be there.
  await Promise.all([queue(["x"], two), queue(["x"], async () => {}), queue(["y"], two)]);
});
