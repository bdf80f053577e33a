/** Words that no text has, each with the words to use instead. */
export declare const refusedWords: readonly (readonly [word: RegExp, instead: string])[];

/** Openings of sentences, each with a better one. */
export declare const refusedOpenings: readonly (readonly [opening: RegExp, instead: string])[];

/** Openings of comments that have no subject. */
export declare const refusedCommentOpenings: readonly RegExp[];

/** Parts of names. */
export declare const refusedNames: readonly RegExp[];
