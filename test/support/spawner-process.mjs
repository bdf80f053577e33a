// Starts processes for a worker of the tests (`spawner.ts`): asked over IPC, or by lines of a pipe where the worker waits.
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , questions, answers] = process.argv;

process.on("disconnect", () => process.exit());
process.on("message", ({ id, command, args, options, input }) => {
  const output = [];
  const said = [];
  const answer = (how) => process.send?.({ id, output: text(output), said: text(said), ...how });
  try {
    const running = spawn(command, args, options);
    running.stdin.on("error", () => {});
    running.stdin.end(input);
    running.stdout.on("data", (chunk) => output.push(chunk));
    running.stderr.on("data", (chunk) => said.push(chunk));
    running.on("error", ({ code, message }) => answer({ error: { code, message } }));
    running.on("close", (code, signal) => answer({ code, signal }));
  } catch ({ code, message }) {
    answer({ error: { code, message } });
  }
});

// The worker opens them in this order, and each opening waits for the other end.
const asked = createInterface({ input: createReadStream("", { fd: openSync(questions, "r") }) });
const answersFile = openSync(answers, "w");
asked.on("line", (line) => {
  const { command, args, options } = JSON.parse(line);
  let answer;
  try {
    answer = { output: execFileSync(command, args, options) };
  } catch ({ code, message, status, stdout, stderr }) {
    answer = { error: { code, message, status, stdout, stderr } };
  }
  writeSync(answersFile, `${JSON.stringify(answer)}\n`);
});

function text(chunks) {
  return Buffer.concat(chunks).toString("base64");
}
