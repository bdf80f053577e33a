#!/usr/bin/env node
// GitHub's command line, as far as the action uses it: `gh pr create`.
import { parseArgs } from "node:util";

const options = { type: "string" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repo: options, base: options, head: options, title: options, body: options },
});
if (positionals.join(" ") !== "pr create") throw new Error(`gh ${positionals.join(" ")} is not known here`);
const { repo, ...pull } = values;
const response = await fetch(`${process.env.GITHUB_API_URL}/repos/${String(repo)}/pulls`, {
  method: "POST",
  headers: { authorization: `Bearer ${process.env.GH_TOKEN}` },
  body: JSON.stringify(pull),
});
if (!response.ok) throw new Error(`GitHub answers ${response.status}`);
console.log((await response.json()).html_url);
