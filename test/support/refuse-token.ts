/**
 * Holds for every command that a test runs with a token, in this process or in one of its own: no output has it, at any
 * verbosity.
 */
export function refuseToken(token: string | undefined, outputs: readonly string[]): void {
  if (!token?.trim()) return;
  const found = outputs.find((output) => output.includes(token.trim()));
  if (found !== undefined) throw new Error(`the token is in the output:\n${found}`);
}
