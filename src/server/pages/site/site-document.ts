import type { ServiceNotice } from '#contract/catalogue/schemas.ts';
import { portalPages, ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { SITE_LINKS, SITE_LINKS_LABEL } from '#contract/site-links.ts';
import { formatContact } from '#domain/orders/contact.ts';
import type { Sky } from '#domain/time/sky.ts';
import { LANGUAGE_PARAMETER, LANGUAGES, listOfferedLanguages } from '#messages/languages.ts';
import type { Translate } from '#messages/translate.ts';
import { embedJson, escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import { legalLinks } from '#server/mail/mail-content.ts';
import { createAsset } from '../assets.ts';
import type { SentDocument } from '../front-end.ts';
import { accentStyle } from '../page.ts';
import { pageHeaders } from '../page-headers.ts';
import { LANGUAGE_HEADERS, openingTag } from '../page-language.ts';
import { composeMeta, iconTags } from '../page-meta.ts';
import type { ShownPicture } from './pictures.ts';

export type Render = {
  config: PageConfig;
  styles: readonly string[];
  /** The operator's language tag. */
  operatorLanguage: string;
  sky: Sky | null;
};

export type SiteDocument = {
  title: string;
  description: string;
  /** Its path on the ticket host. */
  address: string;
  body: readonly string[];
  /** In the vocabulary of schema.org. */
  data: object | null;
  /** For previews in messengers; absent: the operator's icon. */
  picture?: ShownPicture | null;
};

/** A page of the ticket host without the app: its header and footer, with links in place of what needs scripts. */
export function composeSiteDocument(
  { config, operatorLanguage, styles, sky }: Render,
  { title, description, address, body, data, picture = null }: SiteDocument,
): SentDocument {
  const { brand, contact, language } = config.settings;
  const t = textsIn(language);
  const style = [...styles, SITE_STYLE, accentStyle(config)].join('');
  const meta = {
    title: `${title} | ${brand.name}`,
    description,
    canonical: config.origins.tickets + address,
    operatorLanguage,
    picture,
  };
  const links = [
    linkHtml(ticketPages.departures, t('Departures today')),
    ...SITE_LINKS.filter(({ isScreen }) => !isScreen).map(({ path, label }) => linkHtml(path, t(label))),
    ...legalLinks(t, config.settings).map(({ label, url }) => linkHtml(url, label)),
  ];
  const html = `<!doctype html>
${openingTag(language, sky)}
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
${[...composeMeta(config, meta), ...iconTags(brand)].join('\n')}
<style>${style}</style>
${data === null ? '' : embedJson('application/ld+json', data)}
</head>
<body class="site">
${headerHtml(t, config, address)}
<main id="main" data-horizon>
${body.join('\n')}
</main>
<footer><p>${links.join(' ')}</p>
<p translate="no">${languageLinks().join(' ')}</p>
<p>${escapeHtml(formatContact(brand.name, contact))}</p></footer>
</body>
</html>
`;
  return {
    asset: createAsset('/index.html', html),
    headers: { ...pageHeaders(config, [style], { isPrivate: true }), ...LANGUAGE_HEADERS },
  };
}

/** What the operator says, about a port or line if it names one. */
export function noticeHtml({ about, text }: ServiceNotice): string {
  const subject = about === null ? '' : `<strong>${escapeHtml(about)}</strong>: `;
  return `<p class="site-notice" data-tone="warning">${subject}${escapeHtml(text)}</p>`;
}

/** As `AppShell` shows it. */
function headerHtml(t: Translate, { settings, origins, provider }: PageConfig, address: string): string {
  const { name, logo_url } = settings.brand;
  const logo =
    logo_url === null
      ? '<span class="site-pennant" aria-hidden="true"></span>'
      : `<img src="${escapeHtml(logo_url)}" alt="" class="site-logo" />`;
  const links = SITE_LINKS.map(({ path, label }) =>
    linkHtml(path, t(label), path !== ticketPages.home && address.startsWith(path)),
  );
  return [
    '<header class="site-header">',
    `<a href="#main" class="site-skip">${escapeHtml(t('Skip to content'))}</a>`,
    provider.is_test
      ? `<div class="site-banner">${escapeHtml(t('Test payments: no real card is charged'))}</div>`
      : '',
    `<div class="site-row"><a href="${ticketPages.home}" class="site-brand">${logo}${escapeHtml(name)}</a>`,
    `<nav class="site-links" aria-label="${escapeHtml(t(SITE_LINKS_LABEL))}">${links.join('')}</nav>`,
    `<div class="site-actions">${linkHtml(origins.portal + portalPages.signIn, t('Sign in'))}</div></div>`,
    '</header>',
  ].join('');
}

function linkHtml(href: string, label: string, isCurrent = false): string {
  return `<a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`;
}

/** The same page in each language. */
function languageLinks(): string[] {
  return listOfferedLanguages().map(
    (language) =>
      `<a href="?${LANGUAGE_PARAMETER}=${language}" lang="${language}" hreflang="${language}">${LANGUAGES[language].name}</a>`,
  );
}

/** Styles of pages without the app, in addition to the app's, whose colors, sizes and header they use. */
const SITE_STYLE = [
  '.site{display:flex;flex-direction:column;min-height:100dvh;overflow-wrap:anywhere}',
  '.site>:is(main,footer){padding-inline:var(--page-padding)}',
  '.site>main{display:grid;grid-template-columns:minmax(0,1fr);flex:1;align-content:start;gap:var(--space-4);padding-block:var(--space-5) var(--space-7)}',
  '.site h2{margin-block-start:var(--space-4)}',
  '.site-answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:0 var(--space-6)}',
  '.site-answers h2{font-size:var(--text-lg)}',
  '.site>footer{padding-block:var(--space-5);border-block-start:1px solid var(--line);color:var(--muted);font-size:var(--text-sm)}',
  '.site>footer p{display:flex;flex-wrap:wrap;gap:0 var(--space-5)}',
  '.site>footer a,.site main p>a,.site dd>a{display:inline-flex;align-items:center;min-height:2.75rem}',
  '.site-card{min-width:0;border:1px solid var(--line);border-radius:var(--radius-l);background:var(--surface)}',
  // A list with links
  '.site-list{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:var(--space-3)}',
  '.site-list>li{position:relative;display:flex;flex-wrap:wrap;gap:0 var(--space-4);align-items:center;',
  'padding:var(--space-3) var(--space-4)}',
  '.site-list a{display:inline-flex;align-items:center;min-height:2.75rem;font-weight:var(--bold)}',
  '.site-list a::after{content:"";position:absolute;inset:0;border-radius:var(--radius-l)}',
  '.site-list>li>div{flex:1 1 12rem;min-width:0}',
  '.site-list>li:hover{border-color:var(--control-line)}',
  'dl.site-card{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:var(--space-2) var(--space-6);padding:var(--inset)}',
  'dl.site-card dt{color:var(--muted);font-size:var(--text-sm)}',
  'dl.site-card dd{margin:0;font-weight:var(--bold)}',
  'dl.site-details dd{font-weight:400}',
  '.site-note{color:var(--muted);font-size:var(--text-sm)}',
  '.site-notice{padding:var(--space-3) var(--space-4);border-inline-start:4px solid var(--tone);border-radius:var(--radius-s);background:var(--wash)}',
  '.site-badge{display:inline-block;padding:.125rem .5rem;border-radius:.375rem;background:var(--wash);color:var(--tone);',
  'font-size:var(--text-xs);font-weight:var(--bold);box-shadow:inset 0 0 0 1px color-mix(in oklab,var(--tone) 40%,transparent)}',
  '.site .site-buy{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding-inline:var(--space-5);',
  'border-radius:var(--radius-m);background:var(--accent);color:var(--on-accent);font-weight:var(--bold);text-decoration:none}',
  '.site td .site-buy{min-height:2.75rem;white-space:nowrap;padding-inline:var(--space-4);border:1.5px solid var(--control-line);background:var(--surface);color:var(--ink)}',
  '.site td .site-buy:hover{border-color:var(--ink)}',
  // The map beside what comes first, and on phones at the end
  '@media(min-width:64rem){.site>main:has(.site-map){grid-template-columns:minmax(0,1fr) 24rem;column-gap:var(--space-6)}',
  '.site>main:has(.site-map)>*{grid-column:1/-1}.site>main:has(.site-map)>:nth-child(-n+3):not(.site-map){grid-column:1}',
  '.site>main>.site-map{grid-area:1/2/5/3}.site>main:has(.site-map)>.site-list{grid-column:1}}',
  '.site-map svg{width:100%;max-width:28rem;border-radius:var(--radius-l);background:var(--water);direction:ltr}',
  '.map-land{fill:var(--land);stroke:var(--coast)}',
  '.map-shore{fill:none;stroke:var(--coast)}',
  '.site-map figcaption{padding-block-start:var(--space-2);font-weight:var(--bold)}',
  '.map-line{stroke:var(--control-line);stroke-width:2;stroke-dasharray:0 5;stroke-linecap:round}',
  '.map-chosen{stroke:var(--selected);stroke-width:3;stroke-linecap:round}',
  '.site-map circle{fill:var(--surface);stroke:var(--control-line);stroke-width:2}',
  '.site-map .map-end circle{stroke:var(--selected);stroke-width:3}',
  '.site-map .map-boat{fill:var(--accent);stroke:var(--surface)}',
  '.site-map text{fill:var(--muted);stroke:var(--water);stroke-width:4px;stroke-linejoin:round;paint-order:stroke;font-size:14px}',
  '.site-map .map-end text{fill:var(--ink);font-weight:var(--bold)}',
  ':is(.site-silhouette,.site-picture){width:100%;max-width:32rem;border-radius:var(--radius-l);background:var(--water)}',
  '.site-picture{height:auto;max-height:24rem;object-fit:cover}',
  '.vessel-house{fill:var(--surface);stroke:var(--ink);stroke-width:1.5;fill-rule:evenodd}',
  '.vessel-hull{fill:var(--ink)}',
  '.vessel-sea{fill:color-mix(in oklab,var(--selected) 45%,var(--water))}',
  '.site-part{display:grid;gap:var(--space-2)}',
  // Sailings: rows of a table, and on phones blocks
  '.site-table{container-type:inline-size;padding-inline:var(--inset)}',
  '.site-table table{width:100%;table-layout:fixed}',
  '.site-table thead th:nth-child(-n+3){width:17%}',
  '.site-table thead th:last-child{width:13rem;padding-inline-end:0;text-align:end}',
  '.site-table :is(th,td){padding:var(--space-2) var(--space-4) var(--space-2) 0;text-align:start}',
  '.site-table td:last-child{padding-inline-end:0;text-align:end}',
  '.site-table thead th{padding-block-start:var(--space-3);color:var(--muted);font-size:var(--text-sm)}',
  '.site-table tbody tr{border-block-start:1px solid var(--line)}',
  '.site-table :is(tbody th,td:nth-child(2)){font-family:var(--display);font-size:var(--text-lg);font-variant-numeric:tabular-nums;white-space:nowrap}',
  '.site-table td:nth-child(2){font-weight:400}',
  '.site-table tr[data-canceled] :is(time,.site-vessel){text-decoration:line-through}',
  '@container(max-width:44rem){.site-table :is(table,tbody){display:block}',
  '.site-table thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}',
  '.site-table tbody tr{display:flex;flex-wrap:wrap;gap:0 var(--space-2);align-items:center;padding-block:var(--space-3)}',
  '.site-table tbody tr:first-child{border:0}',
  '.site-table tbody :is(th,td):nth-child(n){padding:0;white-space:normal}',
  '.site-table td:nth-child(2){flex:1 1 calc(100% - 9rem)}',
  // Two times need the whole line
  '.site-table tr:has(s) td:nth-child(2){flex-basis:100%}',
  '.site-table td:nth-child(2)::before{content:"– "}',
  '.site-table td:nth-child(3){flex:1 1 calc(100% - 12rem);min-width:0;font-size:var(--text-sm)}',
  '.site-table td:nth-child(4){order:1;flex-basis:100%;font-size:var(--text-sm)}',
  '.site-table td:empty{display:none}}',
  // Very large text
  '@container(max-width:14rem){.site-table tbody :is(th,td):nth-child(n){flex:0 1 auto;text-align:start}.site td .site-buy{white-space:normal}}',
].join('');
