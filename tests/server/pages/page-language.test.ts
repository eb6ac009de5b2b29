import { expect, test } from 'vitest';
import { canonicalLink, openingTag } from '#server/pages/page-language.ts';

test('a document names its language and direction, and English if the product does not have its language', () => {
  expect(openingTag('en-GB')).toBe('<html lang="en-GB">');
  expect(openingTag('ar-XB')).toBe('<html lang="ar-XB" dir="rtl">');
  expect(openingTag('tlh')).toBe('<html lang="en">');
});

test('a document names the light at the port, and where the port is', () => {
  expect(openingTag('en', 'dusk', { lat: 48.5, lon: -123 })).toBe(
    '<html lang="en" data-sky="dusk" data-place="48.5 -123">',
  );
});

test('search engines find a public page under an address for each language, plain in the operator’s', () => {
  const home = 'https://tickets.ferry.example/';
  const link = (page: string) => canonicalLink(home, { page, operator: 'nb-NO' });
  expect(link('nb-NO')).toBe(`<link rel="canonical" href="${home}" />`);
  expect(link('de')).toBe(`<link rel="canonical" href="${home}?lang=de" />`);
});
