import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTraffic } from "../../../src/datahub/http/traffic.ts";
import { CatalogError, type FailureDetails } from "../../../src/model/catalog-error.ts";

/** Traffic with eight requests at the most, whose clock stands still but for what requests take. */
interface ClockedTraffic {
  readonly take: (ms: number, kind?: "read" | "write") => Promise<void>;
  /** Fails after a moment: what is sent meanwhile is under way together. */
  readonly fail: (details: FailureDetails) => Promise<void>;
  /** How many of many requests begin at once: the limit, which stays as it is. */
  readonly limit: () => Promise<number>;
}

function clockedTraffic(): ClockedTraffic {
  let time = 1000;
  const traffic = createTraffic(8, () => time);
  return {
    take: (ms, kind = "read") => traffic.run(kind, async () => void (time += ms)),
    fail: async (details) => {
      const send = async (): Promise<never> => {
        await turn();
        time += 1;
        throw new CatalogError("http", "busy", details);
      };
      await expect(traffic.run("read", send)).rejects.toThrow("busy");
    },
    limit: async () => {
      // Far from other requests: none of them is too many for the pace.
      time += 10_000;
      let [begun, end] = [0, (): void => {}];
      const ended = new Promise<void>((resume) => {
        end = resume;
      });
      const send = async (): Promise<never> => {
        begun += 1;
        await ended;
        throw new Error("no answer");
      };
      const sent = Array.from({ length: 20 }, () => traffic.run("read", send));
      await turn();
      const atOnce = begun;
      end();
      await Promise.allSettled(sent);
      time += 10_000;
      return atOnce;
    },
  };
}

const times = async (count: number, job: () => Promise<void>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await job();
};

test.each([429, 503])(
  "HTTP %i halves the limit, down to one, and 20 good requests raise it by one, up to the ceiling",
  async (status) => {
    const { take, fail, limit } = clockedTraffic();
    expect(await limit()).toBe(8);

    await fail({ status });
    expect(await limit()).toBe(4);
    await times(4, () => fail({ status }));
    expect(await limit()).toBe(1);

    await times(19, () => take(1));
    expect(await limit()).toBe(1);
    await take(1);
    expect(await limit()).toBe(2);
    await times(20 * 20, () => take(1));
    expect(await limit()).toBe(8);
  },
);

test.each([400, 401, 404, 500, 502, undefined])(
  "a failure with the status %s leaves the limit as it is",
  async (status) => {
    const { fail, limit } = clockedTraffic();
    await fail(status === undefined ? {} : { status });
    expect(await limit()).toBe(8);
  },
);

test("requests that were under way together and are refused together halve the limit once", async () => {
  const { fail, limit } = clockedTraffic();
  await Promise.all(Array.from({ length: 8 }, () => fail({ status: 429 })));
  expect(await limit()).toBe(4);
});

test("the limit is halved when the median latency doubles, and not for a few slow requests or small numbers", async () => {
  const { take, limit } = clockedTraffic();
  await times(20, () => take(10));
  await times(20, () => take(40));
  expect(await limit()).toBe(8);
  await times(9, () => take(1000));
  await times(11, () => take(60));
  expect(await limit()).toBe(8);
  await times(20, () => take(120));
  expect(await limit()).toBe(4);
});

test("reads and writes have latencies of their own", async () => {
  const { take, limit } = clockedTraffic();
  await times(20, () => take(100, "read"));
  await times(20, () => take(900, "write"));
  expect(await limit()).toBe(8);
});

test("no more requests are under way than the limit allows, and each is counted", async () => {
  const traffic = createTraffic(3);
  let [underWay, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 20 }, () =>
      traffic.run("read", async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resume) => setTimeout(resume, 1));
        underWay -= 1;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(traffic.counts()).toEqual({ requests: 20, retries: 0 });
});

test.each([429, 502, 503, 504])(
  "after HTTP %i nothing is sent before the time that the server asks for, by whichever request",
  async (status) => {
    const started = performance.now();
    const traffic = createTraffic(2);
    const sentAt: number[] = [];
    const refused = traffic.run("read", async () => {
      throw new CatalogError("http", "busy", { status, retryAfter: 80 });
    });
    await expect(refused).rejects.toThrow("busy");
    await traffic.run("write", async () => void sentAt.push(performance.now() - started));
    expect(sentAt[0]).toBeGreaterThanOrEqual(79);
  },
);

test("an interruption ends the wait for a server at once", async () => {
  const traffic = createTraffic(1);
  const refused = traffic.run("read", async () => {
    throw new CatalogError("http", "busy", { status: 503, retryAfter: 60_000 });
  });
  await expect(refused).rejects.toThrow("busy");
  const interruption = new AbortController();
  const waiting = traffic.run("read", async () => "sent", interruption.signal);
  interruption.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
});
