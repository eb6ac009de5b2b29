import { expect, test } from 'vitest';
import {
  checkPasswordLength,
  getEstimatedPart,
  listGuessableWords,
  scoreGuesses,
} from '#domain/password-rule.ts';

test.each([
  ['abcdefg', 'password_too_short'],
  ['abcdefgh', null],
  ['x'.repeat(1024), null],
  ['x'.repeat(1025), 'password_too_long'],
  ['🦑'.repeat(7), 'password_too_short'],
  ['🦑'.repeat(1024), null],
  ['e\u0301'.repeat(7), 'password_too_short'],
  ['e\u0301'.repeat(1024), null],
])('Length counts what people see as characters, not bytes: %#', (password, refusal) => {
  expect(checkPasswordLength(password, 8)).toBe(refusal);
});

test('The operator may ask for more characters', () => {
  expect(checkPasswordLength('x'.repeat(14), 15)).toBe('password_too_short');
  expect(checkPasswordLength('x'.repeat(15), 15)).toBeNull();
});

test('Strength is estimated on the first hundred characters, composed', () => {
  expect(getEstimatedPart('e\u0301'.repeat(200))).toBe('é'.repeat(100));
  expect(getEstimatedPart('🦑'.repeat(200))).toBe('🦑'.repeat(100));
  expect(getEstimatedPart('short')).toBe('short');
});

test('Each step of strength begins at its number of guesses', () => {
  expect([0, 999, 1e3, 1e6, 1e8 - 1, 1e8, 1e10, Infinity].map(scoreGuesses)).toEqual([
    0, 0, 1, 2, 2, 3, 4, 4,
  ]);
});

test('The guessable words of a password are the operator, the address and the name, whole and in parts', () => {
  const words = listGuessableWords({
    brand: 'Harbor Line',
    email: 'Grace.Hopper@Navy.example',
    name: 'Grace Hopper',
  });
  expect(words).toEqual(
    expect.arrayContaining([
      'harbor line',
      'harborline',
      'grace.hopper@navy.example',
      'navy',
      'hopper',
      'gracehopper',
    ]),
  );
  expect(new Set(words).size).toBe(words.length);
});

test('Parts of one or two letters and a missing name have no effect', () => {
  expect(listGuessableWords({ brand: 'A B', email: 'xy@z.io', name: '' })).toEqual([
    'a b',
    'xy@z.io',
    'xyzio',
  ]);
});
