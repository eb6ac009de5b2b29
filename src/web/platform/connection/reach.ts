import { ping as pingEndpoint } from '#contract/system/endpoints.ts';
import { apiAvailable, isJson, markUnavailable } from './connection.ts';

const LIMIT = 4000;

/**
 * Somebody has a hint: this tab asks the API once, however many ask meanwhile, and believes what it finds. Answers
 * whether the API can be reached.
 */
export async function lookOnce(): Promise<boolean> {
  looking ??= look().finally(() => {
    looking = null;
  });
  await looking;
  return apiAvailable.get();
}

/** One ping; whoever holds `ping` may give it up. */
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
