import { STATUS } from '#contract/client-errors.ts';
import type { RECOGNIZED_PING_CODES, SessionPing } from '#contract/identity/accounts/schemas.ts';
import { pingSession } from '#contract/identity/sign-in/endpoints.ts';
import { type Answer, send } from '../api/send.ts';
import { apiAvailable, onRestored } from '../connection/connection.ts';
import { createStore } from '../create-store.ts';
import {
  endLostSession,
  isKnownSignedIn,
  onSessionCleared,
  readToken,
  rejectSession,
  renewToken,
  sessionStore,
  setAuthenticated,
} from '../session/session.ts';
import { clearProfile, loadProfile } from './profile.ts';

/**
 * Pings the session before a navigation and returns whether the customer counts as signed in: exactly if the ping
 * succeeds. A recognized failure leaves the flag unchanged. Without a token, or while the API is unavailable, it
 * sends no ping.
 */
export async function checkSession(): Promise<boolean> {
  const token = readToken();
  if (token === null) endLostSession();
  else if (apiAvailable.get()) {
    const ping = await ask(token);
    if (readToken() !== token) return isKnownSignedIn();
    if (ping.success) {
      renewToken(token);
      setAuthenticated(true);
    } else if (!isRecognized(ping.errorCode)) rejectSession(token);
  }
  const { isAuthenticated } = sessionStore.get();
  // While the API is unavailable, the profile loads after the next ping.
  if (isAuthenticated && apiAvailable.get()) void loadProfile();
  return isAuthenticated;
}

const PING_TIMEOUT = 3000;

/** A copy, because importing the contract's list would add its schemas to the first bundle. */
const RECOGNIZED: readonly (typeof RECOGNIZED_PING_CODES)[number][] = [
  'network_error',
  'timeout',
  'internal_server_error',
  'rate_limited',
];

/** Once per page. After a lost connection the session may have ended, or the profile may still be missing. */
export function attachAccount(): void {
  onRestored(checkSession);
  onSessionCleared(clearProfile);
}

const pendingPing = createStore<{ token: string; answer: Promise<SessionPing> } | null>(null);

/** Navigations at the same time share one ping. */
function ask(token: string): Promise<SessionPing> {
  const pending = pendingPing.get();
  if (pending?.token === token) return pending.answer;
  const answer = send(pingSession, { timeoutMs: PING_TIMEOUT })
    .then(readPing)
    .finally(() => {
      pendingPing.set((ping) => (ping?.answer === answer ? null : ping));
    });
  pendingPing.set({ token, answer });
  return answer;
}

function readPing(answer: Answer): SessionPing {
  if (answer.kind !== 'answer') return { success: false, errorCode: answer.kind };
  const { status, body, isForeign } = answer;
  if (status >= STATUS.serverError) return { success: false, errorCode: 'internal_server_error' };
  if (status === 429) return { success: false, errorCode: 'rate_limited' };
  // Our API always says whether it succeeded. Other answers come from a proxy and say nothing about the session.
  if (isForeign || typeof body.success !== 'boolean') return { success: false, errorCode: 'network_error' };
  const code = typeof body.errorCode === 'string' ? body.errorCode : null;
  return { success: status < STATUS.badRequest && body.success, errorCode: code };
}

function isRecognized(code: string | null): boolean {
  return RECOGNIZED.some((recognized) => recognized === code);
}
