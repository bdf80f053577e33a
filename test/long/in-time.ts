import { beforeEach } from "vitest";
import { late } from "./left-out.ts";

// A test that has begun ends, too.
beforeEach(({ skip }) => {
  if (Date.now() > Number(process.env["TESTS_BEGIN_UNTIL"])) skip(late);
});
