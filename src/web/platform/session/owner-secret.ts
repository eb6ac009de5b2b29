import { fingerprint } from '../fingerprint.ts';

/**
 * The secret that identifies a session's owner on this device and encrypts their saved data: the session's first
 * token. A step-up replaces the token without telling other pages, so `ownerCookie` (written by `renewedSecret`) holds the
 * first token and the fingerprints of the last two. A value of another session is ignored.
 */
export function getSecret(token: string, ownerCookie: string | null): string {
  const [secret, ...fingerprints] = ownerCookie?.split('.') ?? [];
  return secret && fingerprints.includes(fingerprint(token)) ? secret : token;
}

/** The value to store beside the new token `next`. `last` still counts, because other pages may still see it. */
export function renewedSecret(last: string, next: string, ownerCookie: string | null): string {
  return [getSecret(last, ownerCookie), fingerprint(last), fingerprint(next)].join('.');
}
