import type { Port, Route } from '#contract/catalogue/schemas.ts';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { routePages } from '#contract/route-pages.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatContact } from '#domain/orders/contact.ts';
import { describeCrossingTimes } from '#domain/sailings/crossing-times.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalInstant, getZoneLabel } from '#domain/time/port-time.ts';
import { embedJson, escapeHtml } from '../core/markup.ts';
import { formatDate } from '../documents/travel-text.ts';
import { legalLinks } from '../mail/mail-content.ts';
import { createAsset } from './assets.ts';
import type { SentDocument } from './front-end.ts';
import { accentStyle } from './page.ts';
import { pageHeaders } from './page-headers.ts';
import { composeMeta, iconTags } from './page-meta.ts';
import { shownTimeHtml } from './shown-time.ts';
import { describeBoatTrips } from './structured-data.ts';

/** A route with its two ports. */
export type NamedRoute = { route: Route; origin: Port; destination: Port };

export type RouteSailings = {
  /** The day at the port of departure. */
  today: string;
  /** Of the day and the next. */
  sailings: readonly Sailing[];
  asOf: Date;
};

export type RoutePageData = NamedRoute & {
  currency: string;
  /** Null if they cannot be read at the moment. */
  upcoming: RouteSailings | null;
};

type Render = { config: PageConfig; styles: readonly string[] };

/** `/routes/MAD-HER`. */
export function routeAddress({ origin, destination }: Pick<NamedRoute, 'origin' | 'destination'>): string {
  return fillPath(routePages.one, { ports: `${origin.code}-${destination.code}` });
}

/** The page of a route with its sailings of today and tomorrow, readable without scripts. */
export function composeRoutePage(render: Render, page: RoutePageData): SentDocument {
  const { config } = render;
  const { origin, destination, route, currency, upcoming } = page;
  const { language } = config.settings;
  const { tickets } = config.origins;
  const buyUrl = (sailing: Sailing) => tickets + buyPath(page, sailing);
  const price =
    route.from_amount === null ? '' : ` from ${formatMoney(route.from_amount, currency, language)}`;
  const name = `${origin.name} to ${destination.name}`;
  const body = [
    `<h1>Ferry from ${escapeHtml(name)}</h1>`,
    `<p>The crossing takes about ${describeMinutes(route.crossing_minutes)}. One way${price} for an adult.${
      route.carries_vehicles ? ' Vehicles are carried.' : ' Passengers only.'
    }</p>`,
    `<p><a class="route-buy" href="${escapeHtml(buyPath(page))}">Buy tickets</a></p>`,
    upcoming === null
      ? '<p>The sailings cannot be shown at the moment. Please try again in a few minutes.</p>'
      : sailingsHtml(page, upcoming, language),
    `<p><a href="${escapeHtml(fillPath(ticketPages.portDepartures, { code: origin.code }))}">`,
    `Departures from ${escapeHtml(origin.name)}</a></p>`,
    `<p><a href="${routePages.all}">All routes</a></p>`,
  ];
  return composeDocument(render, {
    title: `Ferry from ${name}`,
    description: `Sailings from ${name} today and tomorrow, with prices and places left. One way${price}.`,
    address: routeAddress(page),
    body,
    data: describeBoatTrips(config, { origin, destination, sailings: upcoming?.sailings ?? [], buyUrl }),
  });
}

/** The page that lists all routes with their cheapest price. */
export function composeRoutesPage(
  render: Render,
  { routes, currency }: { routes: readonly NamedRoute[]; currency: string },
): SentDocument {
  const { name } = render.config.settings.brand;
  const { language } = render.config.settings;
  return composeDocument(render, {
    title: 'Ferry routes',
    description: `All routes of ${name} with today’s sailings and prices.`,
    address: routePages.all,
    body: [
      '<h1>Ferry routes</h1>',
      '<ul class="route-list">',
      ...routes.map(({ route, origin, destination }) => {
        const price = route.from_amount;
        const from = price === null ? '' : ` <span>from ${formatMoney(price, currency, language)}</span>`;
        const address = routeAddress({ origin, destination });
        return `<li><a href="${escapeHtml(address)}">${escapeHtml(`${origin.name} to ${destination.name}`)}</a>${from}</li>`;
      }),
      '</ul>',
    ],
    data: null,
  });
}

function sailingsHtml(
  page: RoutePageData,
  { today, sailings, asOf }: RouteSailings,
  language: string,
): string {
  const { time_zone } = page.origin;
  const time = formatClock(asOf.getTime(), time_zone, language);
  return [
    ...[today, addDays(today, 1)].map((day, index) => dayHtml(page, sailings, { day, index, language })),
    `<p class="route-note">As of ${escapeHtml(`${formatDate(asOf, time_zone, language)}, ${time}`)}.</p>`,
  ].join('');
}

function dayHtml(
  page: RoutePageData,
  sailings: readonly Sailing[],
  { day, index, language }: { day: string; index: number; language: string },
): string {
  const { origin } = page;
  const noon = getLocalInstant(day, '12:00', origin.time_zone);
  const own = sailings.filter(({ departs_local }) => departs_local.startsWith(day));
  const coming = own.filter(({ status }) => status !== 'departed' && status !== 'arrived');
  const left = own.length - coming.length;
  const date = formatDate(new Date(noon), origin.time_zone, language);
  const rows = coming.map((sailing) => sailingHtml(page, sailing, language));
  const notes = [
    left > 0 ? `${left === 1 ? '1 sailing has' : `${left} sailings have`} left.` : '',
    rows.length > 0 ? `Times in ${getZoneLabel(noon, origin.time_zone)}.` : '',
  ].filter(Boolean);
  return [
    `<h2>${index === 0 ? 'Today' : 'Tomorrow'}, ${escapeHtml(date)}</h2>`,
    rows.length > 0 ? `<ul class="route-list">${rows.join('')}</ul>` : '',
    `<p class="route-note">${own.length === 0 ? 'No sailings on this day.' : notes.join(' ')}</p>`,
  ].join('');
}

function sailingHtml(page: RoutePageData, sailing: Sailing, language: string): string {
  const { departs_at, departs_zone, departs_zone_label, arrives_at, arrives_zone, arrives_zone_label } =
    sailing;
  const { availability, delay_minutes, status, status_text, vessel } = sailing;
  const zone = arrives_zone_label === departs_zone_label ? '' : ` ${arrives_zone_label}`;
  const { departs, arrives, lateness } = describeCrossingTimes(
    {
      departsAt: Date.parse(departs_at),
      arrivesAt: Date.parse(arrives_at),
      delayMinutes: delay_minutes,
      isCanceled: status === 'canceled',
    },
    {
      departure: (instant) => formatClock(instant, departs_zone, language),
      arrival: (instant) => formatClock(instant, arrives_zone, language),
    },
  );
  const canBuy = availability.fits && (availability.state === 'on_sale' || availability.state === 'low');
  const isPlenty = availability.state === 'on_sale' && availability.fits;
  const texts = [
    status === 'canceled' && !availability.text.startsWith('Cancel') ? 'Canceled.' : '',
    lateness ?? '',
    status_text,
    isPlenty || availability.text === status_text ? '' : availability.text,
  ].filter(Boolean);
  return [
    '<li><div>',
    `<p class="route-time">${shownTimeHtml(departs)} to ${shownTimeHtml(arrives)}${escapeHtml(zone)}</p>`,
    `<p class="route-note">${escapeHtml([vessel.name, ...texts].join(' · '))}</p></div>`,
    canBuy ? buyHtml(page, sailing, { departs: departs.text, language }) : '',
    '</li>',
  ].join('');
}

function buyHtml(
  page: RoutePageData,
  sailing: Sailing,
  { departs, language }: { departs: string; language: string },
): string {
  const { from_amount, currency } = sailing;
  const price = from_amount === null ? 'Buy' : `Buy from ${formatMoney(from_amount, currency, language)}`;
  const label = `${price}, the ${departs} sailing`;
  return `<a class="route-buy" aria-label="${escapeHtml(label)}" href="${escapeHtml(buyPath(page, sailing))}">${escapeHtml(price)}</a>`;
}

/** The purchase with the route chosen, and the sailing if there is one. */
function buyPath({ origin, destination }: NamedRoute, sailing?: Sailing): string {
  const query = new URLSearchParams({ from: origin.code, to: destination.code });
  if (sailing) {
    query.set('date', sailing.departs_local.slice(0, 10));
    query.set('sailing', sailing.id);
  }
  return `${ticketPages.home}?${query}`;
}

type Document = {
  title: string;
  description: string;
  address: string;
  body: readonly string[];
  data: object | null;
};

function composeDocument({ config, styles }: Render, document: Document): SentDocument {
  const { brand, contact } = config.settings;
  const { tickets, portal } = config.origins;
  const style = [...styles, ROUTE_STYLE, accentStyle(config)].join('');
  const meta = {
    title: `${document.title} | ${brand.name}`,
    description: document.description,
    canonical: tickets + document.address,
  };
  const logo =
    brand.logo_url === null
      ? ''
      : `<img src="${escapeHtml(brand.logo_url)}" alt="" width="36" height="36" />`;
  const legal = legalLinks(config.settings).map(
    ({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
${[...composeMeta(config, meta), ...iconTags(brand)].join('\n')}
<style>${style}</style>
${document.data === null ? '' : embedJson('application/ld+json', document.data)}
</head>
<body class="route-page">
<header><a href="${ticketPages.home}">${logo}${escapeHtml(brand.name)}</a> <a href="${portal}${portalPages.signIn}">Sign in</a></header>
<main>
${document.body.join('\n')}
</main>
<footer><p>${[`<a href="${ticketPages.departures}">Departures today</a>`, ...legal].join(' · ')}</p>
<p>${escapeHtml(formatContact(brand.name, contact))}</p></footer>
</body>
</html>
`;
  return {
    asset: createAsset('/index.html', html),
    headers: pageHeaders(config, [style], { isPrivate: true }),
  };
}

function formatClock(instant: number, zone: string, language: string): string {
  return formatInstant('clock', instant, { language, zone });
}

function describeMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [
    hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : '',
    rest > 0 ? `${rest} minutes` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Styles of the pages of routes, in addition to the app's, whose colors and sizes they use. */
const ROUTE_STYLE = [
  '.route-page{display:flex;flex-direction:column;min-height:100dvh}',
  '.route-page>*{padding-inline:var(--page-padding)}',
  '.route-page>header{--focus:var(--on-deep);display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 var(--space-4);',
  'padding-block:env(safe-area-inset-top) 0;background:var(--deep)}',
  '.route-page>header a{display:inline-flex;align-items:center;gap:var(--space-3);min-height:3.5rem;color:var(--on-deep);',
  'font-weight:var(--bold);text-decoration:none}',
  '.route-page>header a:first-child{font-size:var(--text-lg);font-weight:var(--bold)}',
  '.route-page>header img{object-fit:contain}',
  '.route-page>main{display:grid;flex:1;align-content:start;gap:var(--space-4);padding-block:var(--space-5) var(--space-7)}',
  '.route-page h2{margin-block-start:var(--space-4)}',
  '.route-page>footer{padding-block:var(--space-5);border-block-start:1px solid var(--line);color:var(--muted);',
  'font-size:var(--text-sm)}',
  '.route-page>footer a,.route-page main p>a{display:inline-flex;align-items:center;min-height:2.75rem}',
  '.route-list{padding:0;border:1px solid var(--line);border-radius:var(--radius-l);background:var(--surface);list-style:none}',
  '.route-list li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:var(--space-2) var(--space-4);',
  'padding:var(--space-3) var(--space-4)}',
  '.route-list li+li{border-block-start:1px solid var(--line)}',
  '.route-list li>a:not(.route-buy){display:inline-flex;align-items:center;min-height:2.75rem;font-weight:var(--bold)}',
  '.route-list li>div{flex:1 1 9rem;min-width:0}',
  '.route-time{font-size:var(--text-lg);font-weight:var(--bold)}',
  '.route-note{color:var(--muted);font-size:var(--text-sm)}',
  '.route-page .route-buy{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;',
  'padding-inline:var(--space-4);border-radius:var(--radius-m);background:var(--accent);color:var(--on-accent);',
  'font-weight:var(--bold);text-decoration:none}',
].join('');
