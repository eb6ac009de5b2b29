import { readCookie } from '../session/cookies.ts';

export type ConsentDecision = 'given' | 'refused';

/** On the parent domain, so that visitors decide once for both hosts. */
export const CONSENT_COOKIE = 'analytics';

/** Null until the visitor has decided. */
export function findDecision(): ConsentDecision | null {
  const decision = readCookie(CONSENT_COOKIE);
  return decision === 'given' || decision === 'refused' ? decision : null;
}

/** Global Privacy Control is binding. */
export function objectsToTracking(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
