import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

test('A new password has eight characters at least, or what the operator asks for', () => {
  expect(readConfig({}).passwordMinLength).toBe(8);
  expect(readConfig({ PASSWORD_MIN_LENGTH: '' }).passwordMinLength).toBe(8);
  expect(readConfig({ PASSWORD_MIN_LENGTH: '15' }).passwordMinLength).toBe(15);
});

test.each(['7', '65', '8.5', 'long', '-8'])('A shortest password of %s is refused by name', (text) => {
  expect(() => readConfig({ PASSWORD_MIN_LENGTH: text })).toThrow(ConfigError);
  expect(() => readConfig({ PASSWORD_MIN_LENGTH: text })).toThrow('PASSWORD_MIN_LENGTH');
});
