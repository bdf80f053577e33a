import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import cronstrue from "cronstrue";

const folder = "examples/cron";

/** The schedule of the crontab, and the syntax of its script. */
export function lintCron() {
  const lines = readFileSync(`${folder}/crontab`, "utf8").split("\n").filter(isSchedule);
  return [
    ...(lines.length > 0 ? [] : [`${folder}/crontab: no line has a schedule`]),
    ...lines.flatMap((line) => scheduleErrors(`${folder}/crontab`, line.split(" ").slice(0, 5).join(" "))),
    ...syntaxErrors(`${folder}/drift.sh`),
  ];
}

function isSchedule(line) {
  return line !== "" && !/^(?:#|\w+=)/.test(line);
}

/** What is wrong with the five fields of a schedule. */
export function scheduleErrors(file, schedule) {
  try {
    cronstrue.toString(schedule);
    return [];
  } catch (error) {
    return [`${file}: ${schedule}: ${String(error)}`];
  }
}

function syntaxErrors(file) {
  try {
    execFileSync("bash", ["-n", file], { stdio: "pipe" });
    return [];
  } catch (error) {
    return [`${file}: ${error.stderr}`];
  }
}
