import Cookies from 'js-cookie';
import { afterEach, expect, test } from 'vitest';
import {
  pageLanguage,
  setTextLanguage,
  startPageLanguage,
  textLanguage,
} from '#web/language/page-language.ts';
import { openPage, TICKETS } from '../platform/page.ts';

const { documentElement } = document;

afterEach(() => {
  Cookies.remove('my-language');
  documentElement.lang = 'en';
  documentElement.dir = 'ltr';
  setTextLanguage('en-US');
  openPage();
});

test('a page has the language in which the server has rendered it', () => {
  documentElement.lang = 'en-XA';
  expect(startPageLanguage('en-GB')).toBe(false);
  expect([pageLanguage(), textLanguage()]).toEqual(['en-XA', 'en-XA']);
});

test('English has the operator’s region in dates and money', () => {
  documentElement.lang = 'en';
  startPageLanguage('en-GB');
  expect([pageLanguage(), textLanguage(), documentElement.lang]).toEqual(['en', 'en-GB', 'en-GB']);
});

test('a page from the worker’s cache, in the language before, is shown in the chosen one', () => {
  Cookies.set('my-language', 'ar-XB');
  documentElement.lang = 'en';
  expect(startPageLanguage('en-US')).toBe(true);
  expect([documentElement.lang, documentElement.dir]).toEqual(['ar-XB', 'rtl']);
});

test('the language of an address precedes the chosen one, and unknown ones count for nothing', () => {
  Cookies.set('my-language', 'tlh');
  openPage(`${TICKETS}/?lang=en-XA`);
  expect(startPageLanguage('en-US')).toBe(true);
  expect(pageLanguage()).toBe('en-XA');
  openPage(`${TICKETS}/?lang=tlh`);
  documentElement.lang = 'en';
  startPageLanguage('en-US');
  expect(pageLanguage()).toBe('en');
});
