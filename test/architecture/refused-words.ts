/** Words and openings that comments and names of `src` do not use, with the words to use instead. The list only grows. */

/** Words in comments and READMEs; quoted code is left out. */
export const refusedWords: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bbeside\b/i, "next to, in addition to"],
  [/\bgone\b/i, "missing, deleted, removed"],
  [/\b(?:nobody|somebody)\b/i, "no one, someone"],
  [/\bmeanwhile\b/i, "in between"],
  [/\blooked\b/i, "read, checked"],
  [/\bheld\b(?! back)/i, "held back, kept, contained"],
  [/\b(?:told|tells?)\b/i, "reported, shows, says"],
  [/\bfor (?:ever|good)\b/i, "never, permanently"],
  [/\b(?:takes?|taken|took|taking) (?:\w+ ){0,2}(?:away|back|off)\b/i, "removes, withdraws"],
  [/\bat hand\b/i, "current"],
  [/\bmends?\b/i, "fix"],
  [/\bmade up\b/i, "invented"],
  [/\b(?:the|a|as a) whole\b/i, "the full, completely"],
  [/\bstands? (?:for|at|in|below|beside)\b/i, "is, matches"],
  [/\btime-outs?\b/i, "timeout"],
  [/\bback-off\b/i, "backoff"],
  [/\bby (?:then|now)\b/i, "already, now"],
  [/\bof (?:which|whom)\b/i, "a new sentence"],
  [/\bwell-kept\b/i, "well-maintained"],
  [/\bway out\b/i, "option"],
  [/\bput there\b/i, "set, added"],
  [/\bundone\b/i, "lost, overwritten"],
  [/\bour(?:s|selves)?\b/i, "the tool's"],
  [/\bfolded\b/i, "grouped"],
];

/** Openings of comments that have no subject. */
export const refusedOpenings: readonly RegExp[] = [
  /^(?:Of|What|Whose|Who|Where|By which|By what|How it) /,
  /^(?:In|For|On|To|With|From|Under) which /,
];

/** Parts of names. */
export const refusedNames: readonly RegExp[] = [
  /^(?:most|least)[A-Z]/,
  /(?:^|[a-z])(?:Away|Looked|Gone|Beside|Told)(?:[A-Z]|$)/,
];
