import { heldSnapshot } from "../../github/held-snapshot.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { writeResult } from "../output/report-files.ts";
import { openGithub } from "./environment.ts";

/** Writes the newest snapshot that a run on the default branch uploaded to a file. */
export async function fetchSnapshot(
  { out, artifact }: { readonly out: string; readonly artifact: string },
  io: Io,
): Promise<ExitCode> {
  const { client, repository } = await openGithub(io);
  return await writeResult(out, await heldSnapshot(client, repository, artifact), io);
}
