import { expect, onTestFinished, test } from "vitest";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { startStub } from "../support/stub-server.ts";

const alice = "urn:li:corpuser:alice@acme.com";
const world: readonly MadeAspect[] = [
  [alice, "corpUserInfo", { title: "Data steward", email: "alice@acme.com", active: true }],
  [alice, "corpUserEditableInfo", { teams: [], slack: "@alice", aboutMe: "Ägypten" }],
];

async function loadedCatalog(): Promise<Awaited<ReturnType<typeof startTestCatalog>>> {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  return catalog;
}

test("get prints every aspect and the key, keys sorted at every depth", async () => {
  const catalog = await loadedCatalog();
  const { code, stdout, stderr } = await runCli(["get", "--urn", alice, "--server", catalog.url], {
    cwd: "/",
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`{
  "corpUserEditableInfo": {
    "aboutMe": "Ägypten",
    "slack": "@alice",
    "teams": []
  },
  "corpUserInfo": {
    "active": true,
    "email": "alice@acme.com",
    "title": "Data steward"
  },
  "corpUserKey": {
    "username": "alice@acme.com"
  }
}
`);
});

test.each([
  ["one aspect", ["-a", "corpUserInfo"], ["corpUserInfo"], ""],
  ["several aspects", ["-a", "corpUserInfo", "--aspect", "corpUserKey"], ["corpUserInfo", "corpUserKey"], ""],
  [
    "an aspect that it has and one that it has not",
    ["-a", "status", "-a", "corpUserInfo"],
    ["corpUserInfo"],
    "has no aspect status\n",
  ],
  ["only an aspect that it has not", ["-a", "ownership"], [], "has no aspect ownership\n"],
])("get prints %s, and names on stderr what is not there", async (_, flags, names, note) => {
  const catalog = await loadedCatalog();
  const ran = await runCli(["get", "--urn", alice, ...flags, "--server", catalog.url], { cwd: "/" });
  expect(ran.code).toBe(0);
  expect(Object.keys(JSON.parse(ran.stdout) as object)).toEqual(names);
  expect(ran.stderr).toBe(note === "" ? "" : `${alice} ${note}`);
});

test.each([
  ["all of it", []],
  ["an aspect", ["-a", "corpUserInfo"]],
  ["its key, which the server makes up", ["-a", "corpUserKey"]],
])("get of a URN that is not in the catalog, asked for %s, fails and names it", async (_, flags) => {
  const catalog = await loadedCatalog();
  const argv = ["get", "--urn", "urn:li:corpuser:nobody", ...flags, "--server", catalog.url];
  expect(await runCli(argv, { cwd: "/" })).toEqual({
    code: 1,
    stdout: "",
    stderr: "error: urn:li:corpuser:nobody is not in the catalog\n",
  });
});

test.each([
  ["no URN", ["get"], /--urn/],
  ["a malformed URN", ["get", "--urn", "alice"], /"alice" is not a valid URN/],
  ["an empty aspect", ["get", "--urn", alice, "-a", ""], /needs an aspect name/],
  ["no server", ["get", "--urn", alice], /DATAHUB_GMS_URL/],
])("get with %s is a wrong usage, and nothing is sent", async (_, argv, message) => {
  const { code, stdout, stderr } = await runCli(argv, { cwd: "/" });
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(message);
});

test("get tells what the server minds about a URN", async () => {
  const catalog = await loadedCatalog();
  const argv = ["get", "--urn", "urn:li:nonsense:a", "--server", catalog.url];
  const { code, stderr } = await runCli(argv, { cwd: "/" });
  expect(code).toBe(1);
  expect(stderr).toContain("nonsense");
});

test("get only reads: nothing but GET reaches the server, with the token, which is in no output", async () => {
  const catalog = await loadedCatalog();
  const before = catalog.aspects();
  const env = { DATAHUB_GMS_TOKEN: "s3cr3t-t0ken" };
  const argv = ["get", "--urn", alice, "-a", "status", "--server", catalog.url];
  const { stdout, stderr } = await runCli(argv, { cwd: "/", env });
  expect(stdout + stderr).not.toContain("s3cr3t");
  expect(new Set(catalog.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(catalog.requests.at(-1)?.authorization).toBe("Bearer s3cr3t-t0ken");
  expect(catalog.aspects()).toEqual(before);
});

test.each([
  [401, /rejected the token/],
  [403, /this token may not view it/],
  [404, /is not a DataHub server/],
  [500, /responded with HTTP 500/],
])("get maps HTTP %d to an error that says what is wrong", async (status, message) => {
  const server = await startStub((_, response) => {
    response.statusCode = status;
    response.end("<html>");
  });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runCli(["get", "--urn", alice, "--server", server.url], {
    cwd: "/",
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
});
