import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * The bearer token that is kept in a file readable by its owner only: what stands there, else a new random one.
 * The file appears whole or not at all, so a process killed in between leaves no empty token behind.
 */
export function loadOrCreateToken(file: string): string {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept !== "") {
    chmodSync(file, 0o600);
    return kept;
  }
  const token = randomBytes(32).toString("base64url");
  const draft = `${file}.new`;
  writeFileSync(draft, `${token}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return token;
}
