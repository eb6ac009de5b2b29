import { fingerprint } from '../fingerprint.ts';

/**
 * What a session's owner is known by on this device, and what they saved is sealed with: the token that the session
 * began with. A step-up gives it another one, and pages of the other host, or closed ones, hear nothing of that. `kept`
 * is that first token and the marks of the last two, as `renewedSecret` wrote it; of another session's it tells nothing.
 */
export function secretOf(token: string, kept: string | null): string {
  const [secret, ...marks] = kept?.split('.') ?? [];
  return secret && marks.includes(fingerprint(token)) ? secret : token;
}

/** What to keep beside the token `next` of the same session; `last` still counts, while a page sees that one. */
export function renewedSecret(last: string, next: string, kept: string | null): string {
  return [secretOf(last, kept), fingerprint(last), fingerprint(next)].join('.');
}
