import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatPhone } from '#web/features/site/phone.ts';
import { findPhoneExample } from '#web/platform/forms/phone-example.ts';
import { applySettings } from '#web/platform/settings/settings.ts';
import { openPage } from '../page.ts';

beforeEach(() => void openPage());
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['en-US', '+1 206 555 0142'],
  ['en', '+1 206 555 0142'],
  ['en-GB', '+44 207 946 0142'],
  ['de', '+49 302 312 5142'],
  ['fr-CA', '+1 604 555 0142'],
])('an operator in %s has the example %s', (language, example) => {
  applySettings({ language });
  expect(findPhoneExample()).toBe(example);
  expect(formatPhone(example)).toBe(example);
});

test('an operator in a country without numbers for examples has none', () => {
  applySettings({ language: 'nb' });
  expect(findPhoneExample()).toBe('none');
});
