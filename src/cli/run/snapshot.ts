/** Saves the live state as a snapshot, reads snapshots, and creates plans based on snapshots. */

import { createReader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { planSnapshot } from "../../workflow/plan-snapshot.ts";
import { jsonText } from "../../report/json/pieces.ts";
import { tool } from "../../workflow/version.ts";
import type { Plan } from "../../model/plan.ts";
import { isRestricted } from "../../model/restricted.ts";
import { count } from "../../report/count.ts";
import { doesMatch } from "../../plan/rules/match.ts";
import { allRules } from "../../plan/rules/expand-all.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import { redacted } from "../../sync/snapshot/redact.ts";
import { parseSnapshot, snapshotJson } from "../../workflow/saved-snapshot.ts";
import { type Snapshot, storedKey } from "../../sync/snapshot/snapshot.ts";
import { takeSnapshot } from "../../sync/snapshot/take-snapshot.ts";
import { RunError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { locationOf } from "../options/options.ts";
import { withTarget } from "../options/target.ts";
import { writeResult } from "../output/report-files.ts";
import { note } from "../output/messages.ts";
import { createdAt } from "../created-at.ts";
import { type PlanRequest, scopeFor } from "./plan-run.ts";
import { readText, parsedOrThrow } from "./saved-file.ts";

/** The file to save a snapshot to, and whether to remove personal data. */
export interface SnapshotRequest extends PlanRequest {
  readonly file: string;
  readonly redact: boolean;
}

/** Saves the live state of all entities that the manifests refer to, using a read-only client. */
export async function saveSnapshot(request: SnapshotRequest, io: Io): Promise<ExitCode> {
  const { dir, options, file } = request;
  const repository = await openRepository(locationOf(dir, options, io));
  return await withTarget(options, { settings: repository.settings, writes: false }, io, async (target) => {
    const { desired, policy, rules: sources } = await scopeFor(request, repository, io);
    await checkServer(target.connection, io.interrupted);
    const rules = sources ? allRules(sources) : [];
    const header = { tool, createdAt: createdAt(io), target: target.name };
    const snapshot = await takeSnapshot(
      createReader(target.connection),
      {
        desired,
        before: policy.base,
        deciding: { rules, holds: doesMatch },
        judged: [...new Set(desired.policies.map(({ kind }) => kind))],
      },
      { ...header, signal: io.interrupted },
    );
    const kept = request.redact ? redacted(snapshot) : snapshot;
    const code = await writeResult(file, jsonText(snapshotJson(kept)), io);
    if (code === exitCodes.done && options.quiet !== true) {
      const entities = count(Object.keys(kept.entities).length, "entity", "entities");
      note(`Saved ${entities} to ${file}`, io);
    }
    const unread = unreadIn(kept);
    if (unread.length === 0 || code !== exitCodes.done) return code;
    for (const [urn, reason] of unread) note(`${urn} could not be read: ${reason}`, io);
    const what = count(unread.length, "entity", "entities");
    throw new RunError(
      `${what} could not be read; the snapshot has no values for ${unread.length === 1 ? "it" : "them"}`,
      "answer",
    );
  });
}

/** Returns the snapshot's entities that the token was not allowed to view or whose stored aspects could not be read. */
function unreadIn({ entities }: Snapshot): readonly (readonly [urn: string, reason: string])[] {
  return Object.entries(entities).flatMap(([urn, { answers }]) => {
    const restricted = Object.values(answers).find(({ error }) => isRestricted(error ?? ""));
    const reason = (restricted ?? answers[storedKey])?.error;
    return reason === undefined ? [] : [[urn, reason] as const];
  });
}

/**
 * Creates a plan based on a snapshot, and prints the age of the snapshot to stderr. Throws `InputError` if the file is not a
 * valid snapshot.
 */
export async function planOfSnapshot(file: string, request: PlanRequest, io: Io): Promise<Plan> {
  const { dir, options } = request;
  const repository = await openRepository(locationOf(dir, options, io), options.changedSince);
  const snapshot = readSnapshot(file, io);
  noteAge(snapshot, options, io);
  const scope = await scopeFor(request, repository, io);
  const plan = await planSnapshot(scope, snapshot, { createdAt: createdAt(io), signal: io.interrupted });
  io.measure?.({ plan });
  return plan;
}

/**
 * Reads a snapshot from a file. Throws `InputError` if the file is a different document, has a different version, or was edited.
 */
export function readSnapshot(file: string, io: Io): Snapshot {
  const nouns = { a: "a snapshot", valid: "a valid snapshot" };
  return parsedOrThrow(parseSnapshot(readText(file, io)), file, nouns).snapshot;
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Prints a note about the use, the source and the age of a snapshot. */
export function noteAge(
  { target, createdAt: taken, redacted: isRedacted }: Snapshot,
  { quiet }: { readonly quiet?: boolean },
  io: Io,
  use = "Comparing with",
): void {
  if (quiet === true) return;
  const seconds = Math.max(0, (io.now().getTime() - Date.parse(taken)) / 1000);
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ["minute", 60];
  const age = count(Math.floor(seconds / length), unit);
  const what = isRedacted === true ? "redacted snapshot" : "snapshot";
  note(`${use} a ${what} of ${target} from ${taken}, ${age} old`, io);
}
