import type { NextStep } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'sign-in-attempt';

/** A sign-in that waits for its next step. Instants are milliseconds since 1970. */
export type Attempt = {
  temp: string;
  next: NextStep['next'];
  /** Where the mailed code went; empty where no address was asked for. */
  email: string;
  expiresAt: number;
  /** When another mail may be asked for; null when none can. */
  resendAt: number | null;
};

export function attemptOf({ temp, next, expiresIn, resendIn }: NextStep, email: string): Attempt {
  const now = Date.now();
  return {
    temp,
    next,
    email,
    expiresAt: now + expiresIn * 1000,
    resendAt: resendIn === undefined ? null : now + resendIn * 1000,
  };
}

/**
 * Kept beyond this page's life: a phone ends an installed app while its owner reads the mail with the code, and
 * they come back to where they were.
 */
export function keepAttempt(attempt: Attempt): void {
  writeStored(KEY, JSON.stringify(attempt));
}

export function forgetAttempt(): void {
  removeStored(KEY);
}

/** Null when there is none, or it has run out. */
export function findAttempt(): Attempt | null {
  const attempt = parseAttempt(readStored(KEY));
  if (attempt !== null && attempt.expiresAt > Date.now()) return attempt;
  forgetAttempt();
  return null;
}

const STEPS: readonly unknown[] = ['email_code', 'authenticator', 'passkey'] satisfies NextStep['next'][];

function parseAttempt(text: string | null): Attempt | null {
  try {
    const { temp, next, email, expiresAt, resendAt } = JSON.parse(text ?? 'null') ?? {};
    const isWhole =
      typeof temp === 'string' &&
      STEPS.includes(next) &&
      typeof email === 'string' &&
      typeof expiresAt === 'number' &&
      (resendAt === null || typeof resendAt === 'number');
    return isWhole ? { temp, next, email, expiresAt, resendAt } : null;
  } catch {
    return null;
  }
}
