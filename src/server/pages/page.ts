import { createHash } from 'node:crypto';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import type { Host } from '#contract/hosts.ts';
import { APP_SCRIPT, FIRST_PAINT_SCRIPT, SNAPSHOT_STYLES } from '#contract/page-elements.ts';
import { findPage, hasSnapshots } from '#contract/pages.ts';
import { ticketPages } from '#contract/paths.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { PageConfig, WebSettings } from '#contract/settings/schemas.ts';
import { supportedBrowsers } from '#contract/supported-browsers.ts';
import { SHELL_PATH } from '#contract/worker-messages.ts';
import { chooseTextColor } from '#domain/text-on-color.ts';
import type { Place, Sky } from '#domain/time/sky.ts';
import { matchLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Message, Translate } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';
import { embedJson, escapeHtml } from '../core/markup.ts';
import { legalLinks } from '../mail/mail-content.ts';
import { type Asset, compressClosely, createAsset } from './assets.ts';
import { pageHeaders } from './page-headers.ts';
import { LANGUAGE_HEADERS, openingTag } from './page-language.ts';
import { composeMeta, iconTags } from './page-meta.ts';
import { describeOperator } from './structured-data.ts';

type Files = { scripts: string[]; styles: string[] };

/** `scripts`: what the entry imports. */
type HostFiles = Files & {
  /** The script that starts the app. */
  entry: string;
  /** `catalogue`: the name of the messages that are loaded with the screen. */
  screens: (Files & { path: string; title: Message | null; catalogue: string | null })[];
};

/** `pages.json` of the web build: the files each host and each screen needs immediately. */
export type BuildDescription = {
  /** The script that shows help if the app cannot start. */
  startCheck: string;
  /** The script that paints saved data before the app runs, on hosts with snapshots. */
  firstPaint: string;
  hosts: Record<Host, HostFiles>;
  /** The folder with the catalogues of all languages but English. */
  messages: string;
  /** Their contents by path. */
  styles: Record<string, string>;
};

export type Screen = BuildDescription['hosts'][Host]['screens'][number];

type PageParts = {
  template: string;
  /** In development only with the entry, which Vite serves. */
  build: Pick<BuildDescription, 'hosts' | 'styles' | 'messages'> & Partial<BuildDescription>;
  screen: Screen;
  /** The page's path with the values of its parameters, for the ticket host's public pages. */
  address?: string;
  /** Its settings have the language of the page. */
  config: PageConfig;
  /** The operator's language tag. */
  operatorLanguage: string;
  sky: Sky | null;
  /** Where the sky is so. */
  place: Place | null;
  /** The home page's data and markup, so that it is readable before any script runs. */
  home: { data: HomeData; markup: string } | null;
};

const HOME_PATHS: readonly string[] = [ticketPages.home, ticketPages.newOrder];

/** Renders a complete HTML page with the resources of its first screen, and its security headers. */
export async function composePage(
  parts: PageParts,
): Promise<{ asset: Asset; headers: Record<string, string> }> {
  const { template, build, screen, config, operatorLanguage, sky, place, home } = parts;
  const { address = screen.path } = parts;
  const { language } = config.settings;
  const host = build.hosts[config.host];
  const sheets = [...host.styles, ...screen.styles];
  // As one, because each further style costs a hash in the policy and packs worse.
  const style = [...sheets.map((href) => build.styles[href]), accentStyle(config)].join('');
  const html = template
    .replace('<html lang="en">', () => openingTag(language, sky, place))
    .replace('<!--page-head-->', () =>
      renderHead(screen, config, { address, operatorLanguage }, [
        NO_SCRIPT_HEAD,
        ...startScripts(build, config.host, screen),
        ...listCatalogues(build, config.host, screen, language).map(preloadLink),
        `<style>${style}</style>`,
        ...sheets.map(inertLink),
        ...(home ? [embedJson('application/ld+json', describeOperator(config))] : []),
      ]),
    )
    .replace('<!--page-config-->', () =>
      [
        embedJson('application/json', config, 'page-config'),
        ...(home ? [embedJson('application/json', home.data, 'page-data')] : []),
      ].join(''),
    )
    .replace('<!--start-help-->', () =>
      startHelp(config.settings, {
        isReadable: home !== null,
        showsOrder: screen.path === ticketPages.confirmation,
      }),
    )
    .replace('<!--page-body-->', () => home?.markup ?? '');
  return {
    asset: createAsset(
      '/index.html',
      html,
      home ? await compressClosely(html) : undefined,
      withoutReadTime(html, home),
    ),
    headers: {
      ...pageHeaders(config, [style, NO_SCRIPT_STYLE], { isPrivate: isPrivate(config.host, screen.path) }),
      ...LANGUAGE_HEADERS,
    },
  };
}

/** The app draws the map where this space is kept. */
const STILL_STYLE = 'main [data-place]:empty{display:none}';

/** The first paint of a page with its content in the document, for a frame in which no script runs. */
export function composeStillPage({
  template,
  build,
  screen,
  config,
  sky,
  place,
  home,
}: Pick<PageParts, 'template' | 'build' | 'screen' | 'config' | 'sky' | 'place' | 'home'>): string {
  const sheets = [...build.hosts[config.host].styles, ...screen.styles];
  const style = [...sheets.map((href) => build.styles[href]), accentStyle(config), STILL_STYLE].join('');
  return template
    .replace('<html lang="en">', () => openingTag(config.settings.language, sky, place))
    .replace('<!--page-head-->', () => `<style>${style}</style>`)
    .replace('<!--page-body-->', () => home?.markup ?? '');
}

/** The messages that the app loads before it shows the screen. */
function listCatalogues(
  { messages }: PageParts['build'],
  host: Host,
  { catalogue }: Screen,
  tag: string,
): string[] {
  const language = matchLanguage(tag) ?? SOURCE_LANGUAGE;
  if (language === SOURCE_LANGUAGE) return [];
  return [`${host}/start`, catalogue].flatMap((name) =>
    name === null ? [] : `${messages}/${language}/${name}.js`,
  );
}

/** Each process read the catalogue at another time, and all answer 304 to a browser that has the same one. */
function withoutReadTime(html: string, home: PageParts['home']): string {
  return home === null ? html : html.replace(`"as_of":"${home.data.catalogue.as_of}"`, '');
}

/** Twelve characters that change with every byte of the build: the content of version.txt. */
export function hashVersion(contents: readonly string[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 12);
}

/** The shell is shared by all pages and treated as open; the app does not load tracking scripts on private pages. */
function isPrivate(host: Host, path: string): boolean {
  return path !== SHELL_PATH && findPage(host, path)?.allowsOutsideScripts !== true;
}

function renderHead(
  screen: Screen,
  config: PageConfig,
  { address, operatorLanguage }: { address: string; operatorLanguage: string },
  files: readonly string[],
): string {
  const { brand, language } = config.settings;
  const meta = {
    title: screen.title ? `${textsIn(language)(screen.title)} | ${brand.name}` : brand.name,
    description: brand.tagline,
    canonical: findCanonical(config, screen.path, address),
    operatorLanguage,
  };
  return [...composeMeta(config, meta), ...iconTags(brand), ...files].join('\n    ');
}

/** Null for pages that search engines must not list: the unknown parameter of an address may grant access. */
function findCanonical({ host, origins }: PageConfig, path: string, address: string): string | null {
  if (!servedHosts[host].isPublic || path === ticketPages.notFound || path === SHELL_PATH) return null;
  // `/orders/new` is the same screen.
  if (HOME_PATHS.includes(path)) return `${origins.tickets}${ticketPages.home}`;
  return address.includes('{') ? null : origins.tickets + address;
}

function preloadLink(href: string): string {
  return `<link rel="modulepreload" crossorigin href="${href}" />`;
}

function startScripts(build: PageParts['build'], host: Host, screen: Screen): string[] {
  const { startCheck, firstPaint } = build;
  const { entry, scripts } = build.hosts[host];
  const app = `<script type="module" crossorigin src="${entry}"></script>`;
  // In development Vite shows errors, and nothing is saved to paint.
  if (!startCheck || !firstPaint) return [app];
  const preloads = [...scripts, ...screen.scripts].map(preloadLink);
  // The first one before the others, to observe their errors.
  if (!hasSnapshots(host)) return [`<script defer src="${startCheck}"></script>`, app, ...preloads];
  return [
    `<meta name="${SNAPSHOT_STYLES}" content="${snapshotStyles(build, host)}" />`,
    // Inserted once the snapshot is painted, because running the app would delay its frame.
    `<template id="${APP_SCRIPT}">${app}</template>`,
    // Inserted by start-check.ts, and run while the rest of the page is parsed.
    `<template id="${FIRST_PAINT_SCRIPT}"><script async src="${firstPaint}"></script></template>`,
    `<script async src="${startCheck}"></script>`,
    // The parser does not see what the templates load.
    `<link rel="preload" as="script" href="${firstPaint}" />`,
    preloadLink(entry),
    ...preloads,
  ];
}

/** Changes with the styles that snapshots are painted with: a snapshot of other styles does not fit. */
function snapshotStyles({ hosts }: Pick<BuildDescription, 'hosts'>, host: Host): string {
  const screens = hosts[host].screens.filter(({ path }) => findPage(host, path)?.hasSnapshot);
  const hrefs = [...hosts[host].styles, ...screens.flatMap(({ styles }) => styles)];
  return createHash('sha256').update(hrefs.join()).digest('base64url').slice(0, 12);
}

/** Vite waits for the style sheets of a screen that it loads unless the page already links them. */
function inertLink(href: string): string {
  return `<link rel="stylesheet" href="${href}" disabled />`;
}

/**
 * The operator's accent from the first paint, and the text color on it for browsers without relative colors; invalid
 * colors are omitted.
 */
export function accentStyle(config: PageConfig): string {
  const { accent } = config.settings.brand;
  const isHex = /^#[0-9a-f]{6}$/i.test(accent);
  const text = isHex ? `;--on-accent-fallback:${chooseTextColor(accent)}` : '';
  return /^[#\w(),.%\s/-]+$/.test(accent) ? `:root{--accent:${accent}${text}}` : '';
}

const NO_SCRIPT_STYLE = '#start-help{display:block}#start-help [data-scripts]{display:none}';

/** For the page's head: without JavaScript the help is visible immediately. */
const NO_SCRIPT_HEAD = `<noscript><style>${NO_SCRIPT_STYLE}</style></noscript>`;

/** Placeholder for the order summary, which is known only when the page is sent. */
export const ORDER_SUMMARY = '<!--order-summary-->';

/**
 * Help for when the app cannot start: without JavaScript, in browsers that are too old, and if a script failed to load.
 * It precedes the app's element, so that the app does not replace it; the app removes it after starting.
 */
export function startHelp(
  settings: Pick<WebSettings, 'contact' | 'legal' | 'language'>,
  { isReadable, showsOrder }: { isReadable: boolean; showsOrder: boolean },
): string {
  const t = textsIn(settings.language);
  // A readable page has a heading and a main element already.
  const [tag, heading] = isReadable ? ['section', 'h2'] : ['main', 'h1'];
  return [
    `<${tag} id="start-help" hidden>`,
    showsOrder ? ORDER_SUMMARY : '',
    `<noscript><${heading}>${t('JavaScript is switched off')}</${heading}>`,
    `<p>${t('Buying tickets and your account need JavaScript. Switch it on in your browser’s settings, then reload the page.')}</p></noscript>`,
    `<div data-scripts><${heading}>${t('This page could not start')}</${heading}>`,
    `<p>${t('Reload the page. If that does not help, update your browser or use another one.')} `,
    `${t('Buying tickets and your account need Chrome or Edge {chrome}, Safari or iOS {safari}, Firefox {firefox}, or newer.', supportedBrowsers)}</p></div>`,
    contactText(t, settings.contact),
    legalText(t, settings),
    `</${tag}>`,
  ].join('');
}

/** Links of the footer, which only the app shows. */
function legalText(t: Translate, settings: Pick<WebSettings, 'legal'>): string {
  const links = legalLinks(t, settings).map(
    ({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  return links.length === 0 ? '' : `<p>${links.join(' · ')}</p>`;
}

function contactText(t: Translate, contact: WebSettings['contact']): string {
  const phone =
    contact.phone &&
    `<a dir="ltr" href="tel:${escapeHtml(contact.phone.replace(/[^+\d]/g, ''))}">${escapeHtml(contact.phone)}</a>`;
  const email =
    contact.email && `<a href="mailto:${escapeHtml(contact.email)}">${escapeHtml(contact.email)}</a>`;
  if (phone && email)
    return `<p>${t('You can also call {phone} or write to {email}.', { phone, email })}</p>`;
  if (phone) return `<p>${t('You can also call {phone}.', { phone })}</p>`;
  return email ? `<p>${t('You can also write to {email}.', { email })}</p>` : '';
}
