// Words and openings that neither comments nor texts for users have, with the words to use instead. The list only grows.

/** Words. Quoted code is left out. */
export const refusedWords = [
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
  [/\b(?:the|a|as a) whole\b(?! \w)/i, "the whole catalog, the full plan, completely"],
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

const withoutSubject = [
  /^(?:Of|Whose|Who|By which|By what|How it) /,
  /^(?:In|For|On|To|With|From|Under) which /,
];

/** Openings of sentences without a subject, and passive openings: their subject is a pronoun, and their actor is missing. */
export const refusedOpenings = [
  ...withoutSubject.map((opening) => [opening, "begin with the subject"]),
  [/^Nor /, "a sentence with `not`"],
  [
    /^(?:Is|Are|Was|Were) (?:\w+ed|kept|read|written|shown|sent|set|given|found|made)\b(?!.*\?$)/,
    "name the subject",
  ],
  [
    /^(?:It|They|This|These|Those) (?:is|are|was|were) (?:then |also |only |never |not )?(?:refused|removed|written|read|shown|kept|sent|ignored|printed|applied|compared|asked|taken)\b(?! (?:by|in|from|with|to|on|at|as|only|if|when)\b)/,
    "name the actor",
  ],
];

/** Openings of comments that have no subject. */
export const refusedCommentOpenings = [...withoutSubject, /^(?:What|Where) /];

/** Parts of names. */
export const refusedNames = [
  /^(?:most|least)[A-Z]/,
  /(?:^|[a-z])(?:Away|Looked|Gone|Beside|Told)(?:[A-Z]|$)/,
];
