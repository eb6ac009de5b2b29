import type { NextStep } from '#web/platform/api/types.ts';
import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'sign-in-attempt';
const STEPS: readonly unknown[] = ['email_code', 'authenticator', 'passkey'] satisfies NextStep['next'][];

/** A started sign-in that waits for its next step. Times are milliseconds since 1970. */
export type SignInChallenge = {
  temp: string;
  next: NextStep['next'];
  /** Where the code was mailed; empty if no address was typed. */
  email: string;
  expiresAt: number;
  /** When another mail can be sent; null if none can. */
  resendAt: number | null;
};

export function createChallenge(
  { temp, next, expiresIn, resendIn }: NextStep,
  email: string,
): SignInChallenge {
  const now = Date.now();
  const resendAt = resendIn === undefined ? null : now + resendIn * 1000;
  return { temp, next, email, expiresAt: now + expiresIn * 1000, resendAt };
}

/** Stores it on the device, because a phone may end an installed app while its owner reads the mailed code. */
export function saveChallenge(challenge: SignInChallenge): void {
  writeStored(KEY, JSON.stringify(challenge));
}

export function deleteChallenge(): void {
  removeStored(KEY);
}

/** The stored challenge; null if there is none, or it has expired. */
export function findChallenge(): SignInChallenge | null {
  const stored = readStoredJson(KEY);
  if (isChallenge(stored) && stored.expiresAt > Date.now()) return stored;
  deleteChallenge();
  return null;
}

function isChallenge(stored: unknown): stored is SignInChallenge {
  const { temp, next, email, expiresAt, resendAt } = (stored ?? {}) as Record<string, unknown>;
  return (
    typeof temp === 'string' &&
    STEPS.includes(next) &&
    typeof email === 'string' &&
    typeof expiresAt === 'number' &&
    (resendAt === null || typeof resendAt === 'number')
  );
}
