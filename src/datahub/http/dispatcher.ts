import { readRegularFile } from "../../files/read-file.ts";
import { errorMessage } from "../../model/text/error-text.ts";

/** What sends requests for `fetch`: a dispatcher of undici. Its own type would need that package where ours are used. */
export interface Dispatcher {
  dispatch(options: never, handler: never): boolean;
}

/** Variables of the environment. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Why requests cannot be sent as the environment says. The message never holds the address of a proxy: it may name a password. */
export interface DispatchFault {
  readonly fault: string;
  /** The file that cannot be read. */
  readonly file?: string;
}

/**
 * What sends requests where the environment asks for it: through the proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`,
 * with the client certificate of DataHub's `DATAHUB_CLIENT_CERT_PATH` and `DATAHUB_CLIENT_KEY_PATH`; `undefined` where Node's
 * own way does. Certificates of authorities are Node's matter: `NODE_EXTRA_CA_CERTS`.
 */
export async function dispatcherFor(env: Environment): Promise<Dispatcher | DispatchFault | undefined> {
  const httpProxy = valueOf(env, "HTTP_PROXY");
  const httpsProxy = valueOf(env, "HTTPS_PROXY");
  const certificate = certificateIn(env);
  if (certificate && "fault" in certificate) return certificate;
  for (const [name, proxy] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy })) {
    if (proxy !== "" && !isAddress(proxy))
      return {
        fault: `${name} is not a proxy URL; use http://HOST:PORT, and encode special characters of a password`,
      };
  }
  if (httpProxy === "" && httpsProxy === "" && !certificate) return undefined;
  // Only here: loading it costs as much as a small plan.
  const { EnvHttpProxyAgent } = await import("undici");
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy: valueOf(env, "NO_PROXY"),
    // What is not encrypted needs no tunnel, and many proxies allow none.
    proxyTunnel: false,
    ...(certificate && { connect: certificate, requestTls: certificate }),
  });
}

// As everywhere, the small letters come first.
function valueOf(env: Environment, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? "").trim();
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password].every(isEncoded);
}

// A bare % is none that undici takes.
function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part).length <= part.length;
  } catch {
    return false;
  }
}

function certificateIn(
  env: Environment,
): { readonly cert: Buffer; readonly key: Buffer } | DispatchFault | undefined {
  const [cert, key] = [env["DATAHUB_CLIENT_CERT_PATH"], env["DATAHUB_CLIENT_KEY_PATH"]];
  if (!cert && !key) return undefined;
  if (!cert || !key) {
    return { fault: "a client certificate needs both DATAHUB_CLIENT_CERT_PATH and DATAHUB_CLIENT_KEY_PATH" };
  }
  try {
    return { cert: readRegularFile(cert), key: readRegularFile(key) };
  } catch (error) {
    return { fault: `cannot read the client certificate: ${errorMessage(error)}`, file: cert };
  }
}
