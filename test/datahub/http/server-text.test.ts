import { expect, test } from "vitest";
import { serverText } from "../../../src/datahub/http/answer-limits.ts";

const dump = (...reasons: readonly string[]): string => {
  const exceptions = reasons.map(
    (reason) =>
      `AspectValidationException(changeType=UPSERT, entityUrn=urn:li:corpuser:a, aspectName=corpUserEditableInfo, subType=VALIDATION, msg=${reason})`,
  );
  return `ValidationExceptionCollection{EntityAspect:(urn:li:corpuser:a,corpUserEditableInfo) Exceptions: [${exceptions.join(", ")}]}`;
};

test.each([
  ["as it is", "Unauthorized to perform this action.", "Unauthorized to perform this action."],
  ["of a dumped validation", dump("URL scheme 'http' is not allowed"), "URL scheme 'http' is not allowed"],
  [
    "with brackets",
    `java.lang.IllegalArgumentException: ${dump("URL 'https://a/(b)' points to a private/internal network address")}`,
    "URL 'https://a/(b)' points to a private/internal network address",
  ],
  ["of several, each once", dump("first", "second", "first"), "first; second"],
  ["of a dump that was cut", dump("the reason").slice(0, -5), "the reas"],
  [
    "of a failed condition",
    dump("Expected version 99, actual version 3"),
    "Expected version 99, actual version 3",
  ],
  ["told twice", "java.lang.RuntimeException: No. Root cause: No", "No"],
  [
    "that is the cause",
    "java.util.concurrent.CompletionException: java.lang.RuntimeException: Failed to delete urn:li:domain:a. Root cause: Cannot delete domain urn:li:domain:a which has child domains",
    "Cannot delete domain urn:li:domain:a which has child domains",
  ],
  ["without a cause", "java.lang.RuntimeException: Failed. Root cause: null", "Failed"],
  [
    "of a cause that is an exception",
    "java.lang.RuntimeException: Failed. Root cause: java.net.ConnectException: Connection refused",
    "Connection refused",
  ],
  [
    "of Rest.li",
    "com.linkedin.restli.server.RestLiServiceException [HTTP Status:422]: java.lang.IllegalArgumentException: Bad value",
    "Bad value",
  ],
  ["of nothing but a class", "java.lang.NullPointerException", "java.lang.NullPointerException"],
  ["with a query", "cannot load https://a/?msg=b", "cannot load https://a/?msg=b"],
  ["on several lines", "first\n\tat com.acme.A.b(A.java:1)", "first at com.acme.A.b(A.java:1)"],
])("a message holds the server's reason %s", (_, text, reason) => {
  expect(serverText(text, undefined)).toBe(reason);
});

test("a message holds at most 300 characters of a server", () => {
  expect(serverText("x".repeat(300), undefined)).toHaveLength(300);
  const cut = serverText("x".repeat(301), undefined);
  expect(cut).toBe(`${"x".repeat(293)}… (cut)`);
  expect(cut).toHaveLength(300);
});

test("a token in a dump is not shown", () => {
  expect(serverText(dump("the token s3cr3t is wrong"), "s3cr3t")).toBe("the token *** is wrong");
});
