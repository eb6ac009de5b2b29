import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage } from '#tests/web/platform/page.ts';
import {
  createChallenge,
  deleteChallenge,
  findChallenge,
  saveChallenge,
} from '#web/portal/identity/sign-in/sign-in-challenge.ts';

const STEP = { temp: 't'.repeat(43), next: 'email_code', expiresIn: 600, resendIn: 60 } as const;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-07-01T10:00:00Z') });
  openPage();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a stored sign-in challenge', () => {
  test('survives a reload of the page', () => {
    const attempt = createChallenge(STEP, 'robin@example.com');
    expect(attempt.resendAt).toBe(Date.parse('2026-07-01T10:01:00Z'));
    saveChallenge(attempt);
    vi.advanceTimersByTime(599_000);
    expect(findChallenge()).toEqual(attempt);
  });

  test('is deleted when it expires', () => {
    saveChallenge(createChallenge(STEP, 'robin@example.com'));
    vi.advanceTimersByTime(600_000);
    expect(findChallenge()).toBeNull();
    expect(localStorage.length).toBe(0);
  });

  test('is deleted when the sign-in ends', () => {
    saveChallenge(createChallenge(STEP, ''));
    deleteChallenge();
    expect(findChallenge()).toBeNull();
  });

  test.each([
    '{',
    'null',
    '[]',
    '"x"',
    '{"temp":1}',
    '{"temp":"a","next":"else","email":"","expiresAt":9e15,"resendAt":null}',
  ])('is ignored if its text is %s', (text) => {
    localStorage.setItem('sign-in-attempt', text);
    expect(findChallenge()).toBeNull();
  });
});
