import { once } from "node:events";
import http, { type IncomingMessage, type RequestOptions } from "node:http";

/** An answer as text. */
interface SentAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request as the product does: without a socket to a catalog that is in memory. */
export async function sendText(url: URL, options: RequestOptions = {}, body?: string): Promise<SentAnswer> {
  const request = http.request(url, options);
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  request.end(body);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    text: Buffer.concat(chunks).toString(),
  };
}
