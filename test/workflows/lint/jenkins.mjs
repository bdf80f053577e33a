import { readFileSync } from "node:fs";

const files = ["examples/jenkins/Jenkinsfile", "examples/jenkins/apply.Jenkinsfile"];
const closing = { "(": ")", "[": "]", "{": "}" };

/** Whether brackets and quotes match. Only Jenkins itself can check more: its linter needs a server. */
export function lintJenkins() {
  return files.flatMap(lintFile);
}

function lintFile(file) {
  const open = [];
  const text = readFileSync(file, "utf8").replaceAll(/'[^'\n]*'|"[^"\n]*"|\/\/.*/g, "");
  for (const [index, line] of text.split("\n").entries()) {
    for (const [sign] of line.matchAll(/[()[\]{}'"]/g)) {
      if (sign in closing) open.push(closing[sign]);
      else if (open.pop() !== sign) return [`${file}:${index + 1} ${sign} is not expected`];
    }
  }
  return open.length > 0 ? [`${file}: ${open.at(-1)} is missing at the end`] : [];
}
