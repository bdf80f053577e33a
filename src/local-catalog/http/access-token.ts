import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * The bearer token in a file that only its owner can read. Without such a file, creates one with a random token. The file
 * is written atomically: a process that is killed in between leaves no empty token.
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
