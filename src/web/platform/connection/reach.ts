import { ping as pingEndpoint } from '#contract/system/endpoints.ts';
import { apiAvailable, isJson, markUnavailable } from './connection.ts';

const LIMIT = 4000;

/**
 * Checks the API once after a hint of a loss; concurrent calls share the check. Returns whether the API is available.
 */
export async function lookOnce(): Promise<boolean> {
  looking ??= look().finally(() => {
    looking = null;
  });
  await looking;
  return apiAvailable.get();
}

/** Pings the API. Aborting `ping` cancels it. */
export async function reaches(ping = new AbortController()): Promise<boolean> {
  const limit = setTimeout(() => ping.abort(), LIMIT);
  try {
    const response = await fetch(pingEndpoint.path, { cache: 'no-store', signal: ping.signal });
    return response.ok && isJson(response);
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}

let looking: Promise<void> | null = null;

async function look(): Promise<void> {
  if (apiAvailable.get() && !(await reaches())) markUnavailable('probe');
}
