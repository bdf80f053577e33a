import { lawSeed } from "./runs.ts";

// All values are drawn by the seed. Few runs have one: the others need not load the library.
if (lawSeed !== undefined) (await import("fast-check")).configureGlobal({ seed: lawSeed });
