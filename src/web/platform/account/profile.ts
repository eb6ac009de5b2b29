import { STATUS } from '#contract/client-errors.ts';
import { changeDetails, getDetails } from '#contract/identity/accounts/endpoints.ts';

import { camelCased, snakeKey } from '../api/case-conversion.ts';
import { type OlderFailure, requestOlder, toApiError } from '../api/request.ts';
import type { ChangeCustomer, Customer } from '../api/types.ts';
import { apiAvailable } from '../connection/connection.ts';
import { createStore, useStore } from '../create-store.ts';
import { report } from '../reporting/reporting.ts';
import { readToken } from '../session/session.ts';

export type Profile = { customer: Customer; loaded: boolean };

const SIGNED_OUT: Profile = {
  customer: {
    id: '',
    email: '',
    name: '',
    phone: '',
    pendingEmail: '',
    mfaRequired: false,
    betaTester: false,
    language: null,
  },
  loaded: false,
};

export const profileStore = createStore<Profile>(SIGNED_OUT);

export function useProfile(): Profile {
  return useStore(profileStore, () => SIGNED_OUT);
}

/** The customer's texts that must not leave the device in an error report. */
export function profileTexts(): string[] {
  const { name, email, phone, pendingEmail } = profileStore.get().customer;
  return [name, email, phone, pendingEmail];
}

/** Loads the profile once per session; repeated calls are free. Never throws and never blocks. */
export function loadProfile(): Promise<void> {
  // Asked first, because reading a cookie blocks until another process answers.
  const token = profileStore.get().loaded ? null : readToken();
  if (token === null) return Promise.resolve();
  const pending = pendingLoad.get();
  return pending?.token === token ? pending.done : startLoading(token);
}

/** Reloads it after a change made elsewhere. The old profile stays on screen until then. */
export async function reloadProfile(): Promise<void> {
  await pendingLoad.get()?.done;
  const token = readToken();
  if (token !== null) await startLoading(token);
}

/**
 * Changes only the fields that are sent.
 * @throws {ApiError}
 */
export async function changeProfile(change: ChangeCustomer): Promise<void> {
  const token = readToken();
  const result = await requestOlder(changeDetails, { body: change });
  if (result.error !== undefined) throw toApiError(result);
  if (readToken() === token) profileStore.set((profile) => withSent(profile, change, { ...result }));
}

/** For the next owner of this browser. */
export function clearProfile(): void {
  pendingLoad.set(null);
  profileStore.set(SIGNED_OUT);
}

const pendingLoad = createStore<{ token: string; done: Promise<void> } | null>(null);

function startLoading(token: string): Promise<void> {
  const done = load(token).finally(() => {
    pendingLoad.set((pending) => (pending?.done === done ? null : pending));
  });
  pendingLoad.set({ token, done });
  return done;
}

async function load(token: string): Promise<void> {
  const result = await requestOlder(getDetails);
  if (readToken() !== token) return;
  if (result.error === undefined) {
    const { id, email, name, phone, pending_email, mfa_required, beta_tester, language } = result;
    const customer = camelCased({
      id,
      email,
      name,
      phone: phone ?? '',
      pending_email: pending_email ?? '',
      mfa_required: mfa_required === true,
      beta_tester: beta_tester === true,
      language: language ?? null,
    });
    profileStore.set({ customer, loaded: true });
  } else if (!isReportedElsewhere(result)) {
    report(new Error(`The profile could not be loaded: ${result.error} (${result.status_code})`));
  }
}

function isReportedElsewhere(failure: OlderFailure): boolean {
  // Leaving the page aborts its requests, which is not a failure.
  const { status_code } = failure;
  const isLeft = status_code === STATUS.network && apiAvailable.get();
  return isLeft || status_code === STATUS.unauthorized || 'request_id' in failure;
}

/** Takes the server's stored value of each sent field, which it may have normalized, or else the sent value. */
function withSent(profile: Profile, change: ChangeCustomer, stored: Record<string, unknown>): Profile {
  const fields = Object.entries(change).map(([key, sent]) => [key, stored[snakeKey(key)] ?? sent]);
  return { ...profile, customer: { ...profile.customer, ...Object.fromEntries(fields) } };
}
