// Ask the server.

const TOKEN = "typematch-token";

/** What the server says is wrong; its parts are those of `typematch.error/1`. */
export class Problem extends Error {
  constructor({ what, where = "", hint = "" }, status, retryAfter = 0) {
    super(what);
    Object.assign(this, { what, where, hint, status, retryAfter });
  }
}

export function useToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

/**
 * Return the document at an address and the address of the next page ("" for none).
 * @param {string} address
 * @param {AbortSignal} [signal] ends the question when nobody waits for its answer any more
 * @throws {Problem} also where the server cannot be reached, with the status 0
 */
export async function ask(address, signal) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let answer;
  try {
    answer = await fetch(address, { headers, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ what: "the server does not answer", hint: "Is it still running?" }, 0);
  }
  const said = await answer.json().catch(() => ({ what: answer.statusText || "no answer" }));
  if (!answer.ok) {
    throw new Problem(said, answer.status, Number(answer.headers.get("Retry-After") ?? 0));
  }
  const further = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get("Link") ?? "");
  return { document: said, next: further ? further[1] : "" };
}

/** As `ask`, but a server that has too much to do is asked again, as it wishes, a few times. */
export async function askPatiently(address, signal, times = 4) {
  try {
    return await ask(address, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503 || !error.retryAfter || times <= 0) {
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    signal?.throwIfAborted();
    return askPatiently(address, signal, times - 1);
  }
}

export const searchAddress = (query) => `/api/search?facets=true&q=${encodeURIComponent(query)}`;
export const entryAddress = (id) => `/api/entry/${encodeURIComponent(id)}`;
export const referencesAddress = (id) => `/api/references/${encodeURIComponent(id)}?depth=1`;
