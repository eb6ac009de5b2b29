import { expect, test } from 'vitest';
import { nameDevice } from '#sentences/device.ts';
import { textsIn } from '#server/core/texts.ts';

test('a device is named in the reader’s language, whatever is known of it', () => {
  const t = textsIn('de');
  expect(nameDevice(t, 'Safari on iPhone')).toBe('Safari auf iPhone');
  expect(nameDevice(t, 'Firefox')).toBe('Firefox');
  expect(nameDevice(t, 'Unknown device')).toBe('Unbekanntes Gerät');
  expect(nameDevice(t, '')).toBe('');
});
