// Requests to the server.

const TOKEN = "typematch-token";

/** An error response; its parts are those of the document `typematch.error/2`. */
export class Problem extends Error {
  constructor({ detail, where = "", hint = "", column = null, suggestion = "" }, status, retryAfter = 0) {
    super(detail);
    Object.assign(this, { detail, where, hint, column, suggestion, status, retryAfter });
  }
}

export function useToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

/**
 * Return the document at an address and the address of the next page ("" for none).
 * @param {string} address
 * @param {AbortSignal} [signal] cancels the request
 * @param {RequestInit} [init] method, headers and body
 * @throws {Problem} if the server cannot be reached, with status 0
 */
export async function request(address, signal, init = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let response;
  try {
    response = await fetch(address, { ...init, headers: { ...headers, ...init.headers }, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "the server does not respond", hint: "Check that it is running." }, 0);
  }
  const document = await response.json().catch(() => null);
  signal?.throwIfAborted(); // also while the body was read
  if (!response.ok || !document) {
    const problem = document ?? { detail: response.statusText || "the response is not JSON" };
    throw new Problem(problem, response.status, Number(response.headers.get("Retry-After") ?? 0));
  }
  const next = /^<([^>]*)>; rel="next"$/.exec(response.headers.get("Link") ?? "");
  return { document, next: next ? next[1] : "" };
}

/** As `request`; an overloaded server gets the request again after its Retry-After, a few times. */
export async function requestWithRetry(address, signal, times = 4) {
  try {
    return await request(address, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503 || !error.retryAfter || times <= 0) {
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    signal?.throwIfAborted();
    return requestWithRetry(address, signal, times - 1);
  }
}

export const searchAddress = (query) => `/api/search?facets=true&q=${encodeURIComponent(query)}`;
export const entryAddress = (id) => `/api/entry/${encodeURIComponent(id)}`;
export const composeAddress = (query) => `/api/compose?q=${encodeURIComponent(query)}`;
export const referencesAddress = (id) => `/api/references/${encodeURIComponent(id)}?depth=1`;
export const completionsAddress = (query) => `/api/complete?q=${encodeURIComponent(query)}`;
