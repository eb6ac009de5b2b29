import { createHash } from 'node:crypto';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { supportedBrowsers } from '#contract/supported-browsers.ts';
import { escapeHtml } from '../mail/markup.ts';

const NO_SCRIPT_STYLE = '#start-help{display:block}#start-help [data-scripts]{display:none}';
export const NO_SCRIPT_STYLE_HASH = `sha256-${createHash('sha256').update(NO_SCRIPT_STYLE).digest('base64')}`;

/** For the page's head: without JavaScript the help is visible immediately. */
export const NO_SCRIPT_HEAD = `<noscript><style>${NO_SCRIPT_STYLE}</style></noscript>`;

/** Placeholder for the order summary, which is known only when the page is sent. */
export const ORDER_SUMMARY = '<!--order-summary-->';

/**
 * Help for when the app cannot start: without JavaScript, in browsers that are too old, and if a script failed to load.
 * It precedes the app's element, so that the app does not replace it; the app removes it after starting.
 */
export function startHelp(
  { contact }: Pick<WebSettings, 'contact'>,
  { isReadable, showsOrder }: { isReadable: boolean; showsOrder: boolean },
): string {
  const { chrome, safari, firefox } = supportedBrowsers;
  // A readable page has a heading and a main element already.
  const [tag, heading] = isReadable ? ['section', 'h2'] : ['main', 'h1'];
  return [
    `<${tag} id="start-help" hidden>`,
    showsOrder ? ORDER_SUMMARY : '',
    `<noscript><${heading}>JavaScript is switched off</${heading}>`,
    `<p>${SITE_NEEDS} JavaScript. Switch it on in your browser’s settings, then reload the page.</p></noscript>`,
    `<div data-scripts><${heading}>This page could not start</${heading}>`,
    '<p>Reload the page. If that does not help, update your browser or use another one. ',
    `${SITE_NEEDS} Chrome or Edge ${chrome}, Safari or iOS ${safari}, Firefox ${firefox}, or newer.</p></div>`,
    contactText(contact),
    `</${tag}>`,
  ].join('');
}

const SITE_NEEDS = 'Buying tickets and your account need';

function contactText({ phone, email }: WebSettings['contact']): string {
  const ways = [
    ...(phone
      ? [`call <a href="tel:${escapeHtml(phone.replace(/[^+\d]/g, ''))}">${escapeHtml(phone)}</a>`]
      : []),
    ...(email ? [`write to <a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`] : []),
  ];
  return ways.length === 0 ? '' : `<p>You can also ${ways.join(' or ')}.</p>`;
}
