import fc from "fast-check";

// Which mutants a law finds must not be a matter of chance.
fc.configureGlobal({ seed: 1 });
