import type { Place, Sky } from '#domain/time/sky.ts';
import { LANGUAGE_PARAMETER, LANGUAGES, matchLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import { escapeHtml } from '../core/markup.ts';

/**
 * The opening tag of a document in a language. `sky` colors the sea in its header; the app keeps it that of the hour at
 * `place`.
 */
export function openingTag(tag: string, sky: Sky | null = null, place: Place | null = null): string {
  const language = matchLanguage(tag);
  const { direction } = LANGUAGES[language ?? SOURCE_LANGUAGE];
  const dir = direction === 'rtl' ? ' dir="rtl"' : '';
  const light = sky === null ? '' : ` data-sky="${sky}"`;
  const position = place === null ? '' : ` data-place="${place.lat} ${place.lon}"`;
  return `<html lang="${escapeHtml(language === null ? SOURCE_LANGUAGE : tag)}"${dir}${light}${position}>`;
}

/** Tells caches that a page is in the visitor's language. */
export const LANGUAGE_HEADERS = { Vary: 'Accept-Encoding, Accept-Language, Cookie' };

type Languages = { page: string; operator: string };

/** The address of a public page in a language, for search engines: plain in the operator's language. */
export function addressInLanguage(address: string, tags: Languages): string {
  const [page, operator] = [tags.page, tags.operator].map((tag) => matchLanguage(tag) ?? SOURCE_LANGUAGE);
  return page === operator ? address : `${address}?${LANGUAGE_PARAMETER}=${page}`;
}

export function canonicalLink(address: string, tags: Languages): string {
  return `<link rel="canonical" href="${escapeHtml(addressInLanguage(address, tags))}" />`;
}
