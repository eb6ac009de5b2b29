import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Message, message } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';

const server = textsIn('en-US');

test.each([
  ['browser', t],
  ['server', server],
])('the %s writes values and plurals into a message', (_, write) => {
  expect(write('Pay {amount}', { amount: '$5' })).toBe('Pay $5');
  const text = '{count, plural, one {# boat has left} other {# boats have left}}';
  expect([1, 2].map((count) => write(text, { count }))).toEqual(['1 boat has left', '2 boats have left']);
  expect(write('Don’t {kind, select, car {drive} other {walk}}', { kind: 'car' })).toBe('Don’t drive');
});

test('a message of a table is written where it is shown', () => {
  const columns: { title: Message }[] = [{ title: message('Balance') }];
  expect(columns.map(({ title }) => t(title))).toEqual(['Balance']);
});

test('elements of a message contain its text and other elements', () => {
  const written = rich('Read <link>the <b>terms</b> of {name}</link> first', {
    link: (text) => createElement('a', null, text),
    b: (text) => createElement('b', null, text),
    name: 'A & B',
  });
  expect(renderToStaticMarkup(written)).toBe('Read <a>the <b>terms</b> of A &amp; B</a> first');
});
