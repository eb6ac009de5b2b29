import { describe, expect, test } from 'vitest';
import { chooseLanguage, localize, matchLanguage } from '#messages/languages.ts';

describe('the language of texts', () => {
  test.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['EN-us', 'en'],
    ['en-XA', 'en-XA'],
    ['tlh', null],
    ['', null],
  ])('for the tag "%s" is %s', (tag, language) => expect(matchLanguage(tag)).toBe(language));

  test('is the first preferred one that the product has, and otherwise the operator’s', () => {
    expect(chooseLanguage(['tlh', 'ar-XB', 'en'], 'en-US')).toBe('ar-XB');
    expect(chooseLanguage(['tlh'], 'en-XA')).toBe('en-XA');
    expect(chooseLanguage([], 'tlh')).toBe('en');
  });

  test('takes the operator’s region for dates and money, if it is of the same language', () => {
    expect(localize('en', 'en-GB')).toBe('en-GB');
    expect(localize('en-XA', 'en-GB')).toBe('en-XA');
  });
});
