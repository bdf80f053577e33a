import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTarget, type TargetOptions, type TargetRules } from "../../../src/cli/options/target.ts";
import { asCommandError } from "../../../src/cli/output/command-error.ts";
import type { Io } from "../../../src/cli/io.ts";
import { temporaryDirectory } from "../../support/catalog.ts";

const reads: TargetRules = { writes: false };

function ioWith(env: Readonly<Record<string, string>>, datahubenv?: string): Io {
  const home = temporaryDirectory();
  if (datahubenv !== undefined) writeFileSync(join(home, ".datahubenv"), datahubenv);
  const stderr = { write: () => {} };
  return { env, home, cwd: home, stderr } as unknown as Io;
}

async function found(
  options: TargetOptions,
  env: Readonly<Record<string, string>>,
  { rules = reads, datahubenv }: { readonly rules?: TargetRules; readonly datahubenv?: string } = {},
): Promise<readonly [name: string, token: string | undefined]> {
  const target = await openTarget(options, rules, ioWith(env, datahubenv)).catch((error: unknown) => {
    throw asCommandError(error);
  });
  return [target.name, target.connection.token];
}

const file = 'gms:\n  server: "https://file.acme.com"\n  token: "file-token"\n';

test.each([
  ["--server wins", { server: "http://a:1" }, { DATAHUB_GMS_URL: "http://b:2" }, ["http://a:1", undefined]],
  ["the URL variable", {}, { DATAHUB_GMS_URL: "http://b:2/", DATAHUB_GMS_TOKEN: "t" }, ["http://b:2", "t"]],
  [
    "host, port, protocol",
    {},
    { DATAHUB_GMS_HOST: "h", DATAHUB_GMS_PORT: "9", DATAHUB_GMS_PROTOCOL: "https" },
    ["https://h:9", undefined],
  ],
  ["a port alone", {}, { DATAHUB_GMS_PORT: "9" }, ["http://localhost:9", undefined]],
  ["a host that is an address", {}, { DATAHUB_GMS_HOST: "https://h" }, ["https://h", undefined]],
  ["a bare host", {}, { DATAHUB_GMS_HOST: "h" }, ["http://h", undefined]],
  [
    "an empty variable is none",
    { server: "http://a:1" },
    { DATAHUB_GMS_TOKEN: " " },
    ["http://a:1", undefined],
  ],
])("%s names the target", async (_, options, env, expected) => {
  expect(await found(options, env as unknown as Record<string, string>)).toEqual(expected);
});

test.each([
  ["names server and token when nothing else does", {}, {}, ["https://file.acme.com", "file-token"]],
  [
    "lends its token to its own server",
    { server: "https://FILE.acme.com:443/" },
    {},
    ["https://file.acme.com", "file-token"],
  ],
  [
    "lends its token to no other server",
    { server: "https://other.acme.com" },
    {},
    ["https://other.acme.com", undefined],
  ],
  ["yields to the token variable", {}, { DATAHUB_GMS_TOKEN: "t" }, ["https://file.acme.com", "t"]],
])("~/.datahubenv %s", async (_, options, env, expected) => {
  expect(await found(options, env as Record<string, string>, { datahubenv: file })).toEqual(expected);
});

test("~/.datahubenv names no target for a command that writes", async () => {
  const rules = { writes: true };
  await expect(found({}, {}, { rules, datahubenv: file })).rejects.toThrow(/\.datahubenv.*--server/);
});

test("DATAHUB_SKIP_CONFIG leaves ~/.datahubenv alone", async () => {
  await expect(found({}, { DATAHUB_SKIP_CONFIG: "true" }, { datahubenv: file })).rejects.toThrow(
    /DATAHUB_GMS_URL/,
  );
});

test.each([
  ["no server at all", {}, {}, /DATAHUB_GMS_URL.*--local/],
  ["both --local and --server", { local: true, server: "http://a" }, {}, /--local and --server/],
  ["--data without --local", { data: "x", server: "http://a" }, {}, /--data needs --local/],
  ["an address without a scheme", { server: "acme.com:8080" }, {}, /http:\/\//],
])("%s is a wrong usage", async (_, options, env, message) => {
  await expect(found(options, env)).rejects.toThrow(message);
});

test("another server than the pinned one is refused", async () => {
  const rules = { settings: { server: "https://datahub.acme.com/api/gms" }, writes: false };
  expect(await found({ server: "https://DATAHUB.acme.com/api/gms/" }, {}, { rules })).toEqual([
    "https://datahub.acme.com/api/gms",
    undefined,
  ]);
  await expect(found({ server: "https://evil.com" }, {}, { rules })).rejects.toThrow(
    /allow only the server.*nothing was sent/,
  );
  await expect(found({ local: true }, {}, { rules })).rejects.toThrow(/allow only the server/);
});

test("the local catalog is a target by the id of its data directory, the same each time", async () => {
  const io = ioWith({});
  const names: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const target = await openTarget({ local: true, data: "data" }, reads, io);
    names.push(target.name);
    await target.close();
  }
  expect(names[0]).toMatch(/^local:.+/);
  expect(names[1]).toBe(names[0]);
});
