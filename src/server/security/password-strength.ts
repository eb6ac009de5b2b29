import { createThread } from '../thread.ts';
import type { StrengthQuestion } from './password-strength-worker.ts';

/**
 * How hard a password is to guess, from 0 to 4, on a thread of its own: reading the word lists and searching them can
 * take a tenth of a second.
 * @param question the password (at most 100 characters of it) and words that somebody would try first
 */
export const estimateStrength = createThread<StrengthQuestion, number>(
  new URL('./password-strength-worker.ts', import.meta.url),
  'estimates passwords',
);
