import compileMessage from 'icu-minify/compile';
import { expect, test } from 'vitest';
import { lengthenMessage, reverseMessage } from '#messages/pseudo.ts';

test('a lengthened message is longer by two fifths and keeps its placeholders, branches and tags', () => {
  expect(lengthenMessage(compileMessage('Close'))).toBe('Clóšé~~');
  const message = compileMessage('{count, plural, one {# boat to {port}} other {<b>No</b>}}');
  expect(lengthenMessage(message)).toEqual([
    ['count', 2, { one: [0, ' bóát tó ~~~', ['port']], other: [['b', 'Nó~']] }],
  ]);
});

test('a reversed message runs from right to left, except its placeholders', () => {
  expect(reverseMessage(compileMessage('Pay {amount} now'))).toEqual([
    '\u202ePay\u202c ',
    ['amount'],
    ' \u202enow\u202c',
  ]);
});
