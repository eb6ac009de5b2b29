import { expect, test } from 'vitest';
import { findCallLanguage, findPageLanguage } from '#server/http/request-language.ts';

test('a call of the app is answered in the language of its page, whatever the visitor has chosen since', () => {
  const headers = new Headers({ cookie: 'my-language=en-XA', 'accept-language': 'ar-XB' });
  expect(findCallLanguage(headers, 'en-GB')).toBe('ar-XB');
  expect(findCallLanguage(new Headers(), 'en-GB')).toBe('en-GB');
});

test.each([
  ['the address', '?lang=ar-XB', { cookie: 'my-language=en-XA' }, 'ar-XB'],
  ['the visitor’s choice', '', { cookie: 'a=1; my-language=en-XA', 'accept-language': 'ar-XB' }, 'en-XA'],
  ['the browser', '', { cookie: 'my-language=tlh', 'accept-language': 'tlh, ar-XB;q=0.5' }, 'ar-XB'],
  ['the operator', '?lang=<script>', { cookie: 'my-language="', 'accept-language': '*' }, 'en-GB'],
])('a page is in the language of %s', (_, query, headers, language) => {
  const request = new Request(`http://tickets.ferry.example/${query}`, { headers });
  expect(findPageLanguage('tickets', request, 'en-GB')).toBe(language);
});

test('a page of the staff host is in the operator’s language until the visitor chooses another', () => {
  const find = (headers: Record<string, string>) =>
    findPageLanguage('staff', new Request('http://staff.ferry.example/', { headers }), 'en-GB');
  expect(find({ 'accept-language': 'ar-XB' })).toBe('en-GB');
  expect(find({ cookie: 'my-language=ar-XB' })).toBe('ar-XB');
});

test('the browser’s languages count in the order of their weights, without refused ones', () => {
  const find = (accepted: string) => findCallLanguage(new Headers({ 'accept-language': accepted }), 'en-GB');
  expect(find('de;q=0.5, nb-NO, fr;q=0.8')).toBe('nb');
  expect(find('de;q=0, fr;q=0.1')).toBe('fr');
  expect([find(''), find('*'), find(';;,q=x')]).toEqual(['en-GB', 'en-GB', 'en-GB']);
});
