// The floor: what a bare script takes that reads and parses the same files with `yaml` and then sends the same
// requests, one after the other, and nothing else. Started as `node floor.mjs DIRECTORY RECORDING`; for an export, which
// reads no files, as `node floor.mjs "" RECORDING FILES OUT`: then it writes the files that FILES holds below OUT.
//
// The requests come from a recording, ready to be sent: that reading of one file is all that the floor does beyond
// its task, and it saves it the building and serialising of the requests. So the comparison errs in its favour.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

const [directory = "", recording = "", files = "", out = ""] = process.argv.slice(2);
const address = process.env["DATAHUB_GMS_URL"] ?? "";
const headers = {
  authorization: `Bearer ${process.env["DATAHUB_GMS_TOKEN"]}`,
  "content-type": "application/json",
};

const manifests = (directory === "" ? [] : readdirSync(directory, { recursive: true }))
  .map(String)
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => manifestsIn(readFileSync(join(directory, name), "utf8")));

const lines = readFileSync(recording, "utf8").split("\n");
let requests = 0;
for (let index = 0; index + 1 < lines.length; index += 2) {
  const [method = "", path = ""] = (lines[index] ?? "").split(" ");
  const body = lines[index + 1] ?? "";
  const response = await fetch(address + path, { method, headers, ...(body !== "" && { body }) });
  const answer = JSON.parse(await response.text());
  if (!response.ok || answer.errors) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  requests += 1;
}
for (const [name, text] of files === "" ? [] : JSON.parse(readFileSync(files, "utf8"))) {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(join(out, name), text);
}
console.log(`${manifests.length} files parsed, ${requests} requests sent.`);

/** @param {string} text */
function manifestsIn(text) {
  if (!text.includes("\n---\n")) return parse(text);
  return parseAllDocuments(text).map((document) => document.toJS());
}
