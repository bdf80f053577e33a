import { expect, test } from "vitest";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { refusedRecreations } from "../../../src/sync/write/recreations.ts";
import { urn } from "../../support/states.ts";
import { type AskedCatalog, catalogOf, tagged } from "./asked-catalog.ts";
import { runOf } from "./run.ts";

const [lost, kept, fresh] = ["lost", "kept", "fresh"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];

function creating(...tags: readonly Urn[]): Operation {
  const changes = tags.map(
    (of) => ({ action: "create", shape: "entity", kind: "Tag", urn: of, fingerprint: "" }) as const,
  );
  return {
    id: tags.join(),
    request: { type: "mutation", field: "x", args: [] },
    locks: [],
    after: [],
    changes,
  };
}

interface Refused {
  readonly refused: readonly (readonly [id: string, error: string])[];
  readonly told: readonly string[];
  /** How often the referrers were counted. */
  readonly polls: number;
}

/** What is refused where references go after the second poll, and before each of which `fails` may throw. */
async function refused(
  operations: readonly Operation[],
  { fails, signal }: { readonly fails?: (poll: number) => void; readonly signal?: AbortSignal } = {},
): Promise<Refused> {
  let polls = 0;
  const catalog: AskedCatalog = await catalogOf(
    [tagged("a", lost, kept), tagged("b", lost)],
    async (name) => {
      if (!name.startsWith("Search")) return;
      polls += 1;
      fails?.(polls);
      if (polls === 3) await catalog.load(tagged("b"));
    },
  );
  const told: string[] = [];
  const run = runOf({ writer: catalog.writer, signal, onWait: (text) => told.push(text) });
  const outcomes = await refusedRecreations(run, operations);
  const found = outcomes.map(
    (each) => [each.operation.id, each.status === "failed" ? each.error : each.status] as const,
  );
  return { refused: found, told, polls };
}

const reason =
  "not sent: it was deleted earlier, and the server is still removing all references to it, even new ones; apply again later";

test("what is created again fails where the server is still removing references to it, and nothing else does", async () => {
  const operations = [creating(lost, fresh), creating(kept), creating(fresh)];
  const found = await refused(operations);
  expect(found.refused).toEqual([[operations[0]?.id, reason]]);
  expect(found.told).toEqual([
    `Checking for unfinished deletions of the same URNs: ${lost}, ${kept} (30 s at most)`,
  ]);
});

test("references that stay do not hold up a creation, and are looked at no longer than ten polls", async () => {
  const { refused: found, polls } = await refused([creating(kept)]);
  expect(found).toEqual([]);
  expect(polls).toBe(11);
});

test("what nothing refers to is looked at once, and of what is not created nothing is asked", async () => {
  expect(await refused([creating(fresh)])).toEqual({ refused: [], told: [], polls: 1 });
  expect(await refused([creating()])).toEqual({ refused: [], told: [], polls: 0 });
});

test("where references cannot be counted to the end, each creation fails", async () => {
  const fails = (): void => {
    throw new CatalogError("answer", "no");
  };
  const { refused: found } = await refused([creating(fresh), creating()], { fails });
  expect(found).toEqual([[fresh, "not sent: the references to it could not be read: no"]]);
});

test("where an older release does not know a field of one kind, only creations of that kind fail", async () => {
  const user = urn("urn:li:corpuser:ann");
  const creation = creating(user);
  const creatingUser = {
    ...creation,
    changes: creation.changes.map((change) => ({ ...change, kind: "User" }) as const),
  };
  const { writer } = await catalogOf([]);
  const query: typeof writer.query = async (document, variables, ...more) => {
    const isOfUsers = JSON.stringify(variables).includes("managerLdap");
    if (document.startsWith("query Search") && isOfUsers)
      return { data: null, errors: [{ message: "unknown field managerLdap", path: ["s0"] }] };
    return await writer.query(document, variables, ...more);
  };
  const run = runOf({ writer: { ...writer, query } });
  const outcomes = await refusedRecreations(run, [creating(fresh), creatingUser]);
  expect(outcomes.map(({ operation }) => operation.id)).toEqual([user]);
  expect(outcomes).toMatchObject([{ status: "failed", error: expect.stringContaining("managerLdap") }]);
});

test("a failure that passes is none", async () => {
  const fails = (poll: number): void => {
    if (poll === 1) throw new CatalogError("answer", "no");
  };
  expect((await refused([creating(fresh)], { fails })).refused).toEqual([]);
});

test("a refused token ends the run, and a bug is thrown", async () => {
  const unauthorized = (): void => {
    throw new CatalogError("unauthorized", "refused");
  };
  const { refused: found, polls } = await refused([creating(fresh)], { fails: unauthorized });
  expect([found, polls]).toEqual([[], 1]);
  const bug = (): void => {
    throw new TypeError("bug");
  };
  await expect(refused([creating(fresh)], { fails: bug })).rejects.toThrow("bug");
});

test("an interruption refuses nothing", async () => {
  expect((await refused([creating(lost)], { signal: AbortSignal.abort() })).refused).toEqual([]);
});

test("deletions are neither looked at nor refused", async () => {
  const about = { action: "delete", shape: "entity", kind: "Tag", fingerprint: "" } as const;
  const deleting: Operation = { ...creating(), id: "delete", changes: [{ ...about, urn: lost }] };
  expect(await refused([deleting])).toEqual({ refused: [], told: [], polls: 0 });
  const fails = (): void => {
    throw new CatalogError("answer", "no");
  };
  expect((await refused([creating(fresh), deleting], { fails })).refused.map(([id]) => id)).toEqual([fresh]);
  const both = [creating(lost), deleting];
  expect((await refused(both)).refused.map(([id]) => id)).toEqual([lost]);
});
