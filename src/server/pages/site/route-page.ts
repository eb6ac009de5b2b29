import { fillPath, ticketPages } from '#contract/paths.ts';
import { terminalAddress, vesselAddress } from '#contract/place-pages.ts';
import { routePages } from '#contract/route-pages.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalInstant, getZoneLabel } from '#domain/time/port-time.ts';
import type { Translate } from '#messages/translate.ts';
import { describeCrossingTimes } from '#sentences/crossing-times.ts';
import { describeDuration } from '#sentences/fare-policy.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import { formatDate } from '#server/documents/travel-text.ts';
import type { SentDocument } from '../front-end.ts';
import { describeBoatTrips } from '../structured-data.ts';
import { type NamedRoute, routeAddress } from './named-route.ts';
import type { RouteService } from './read-service.ts';
import { routeMapHtml } from './route-map.ts';
import { shownTimeHtml } from './shown-time.ts';
import { composeSiteDocument, noticeHtml, type Render } from './site-document.ts';

export type RoutePageData = NamedRoute & {
  /** Of the operator, for the map. */
  lines: readonly NamedRoute[];
  currency: string;
  /** Null if they cannot be read at the moment. */
  upcoming: RouteService | null;
};

/** The page of a route with its sailings of today and tomorrow, readable without scripts. */
export function composeRoutePage(render: Render, page: RoutePageData): SentDocument {
  const { config } = render;
  const { origin, destination, route, currency, upcoming } = page;
  const { language } = config.settings;
  const { tickets } = config.origins;
  const buyUrl = (sailing: Sailing) => tickets + buyPath(page, sailing);
  const t = textsIn(language);
  const price = route.from_amount === null ? null : formatMoney(route.from_amount, currency, language);
  const ports = { origin: origin.name, destination: destination.name };
  const title = t('Ferry from {origin} to {destination}', ports);
  const crossing = [
    t('The crossing takes about {duration}.', { duration: describeDuration(t, route.crossing_minutes) }),
    price === null ? t('One way for an adult.') : t('One way from {price} for an adult.', { price }),
    route.carries_vehicles ? t('Vehicles are carried.') : t('Passengers only.'),
  ];
  const description = [
    t('Sailings from {origin} to {destination} today and tomorrow, with prices and places left.', ports),
    price === null ? t('One way.') : t('One way from {price}.', { price }),
  ];
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${crossing.join(' ')}</p>`,
    `<p><a class="site-buy" href="${escapeHtml(buyPath(page))}">${t('Buy tickets')}</a></p>`,
    upcoming === null
      ? `<p>${t('The sailings cannot be shown at the moment. Please try again in a few minutes.')}</p>`
      : sailingsHtml(page, upcoming, language),
    routeMapHtml({ lines: page.lines, chosen: page, service: upcoming?.service ?? null, language }),
    `<p><a href="${escapeHtml(fillPath(ticketPages.portDepartures, { code: origin.code }))}">`,
    `${escapeHtml(t('Departures from {port}', { port: origin.name }))}</a></p>`,
    ...[origin, destination].map(
      ({ code, name }) =>
        `<p><a href="${escapeHtml(terminalAddress(code))}">${escapeHtml(t('{port} ferry terminal', { port: name }))}</a></p>`,
    ),
    `<p><a href="${routePages.all}">${t('All routes')}</a></p>`,
  ];
  return composeSiteDocument(render, {
    title,
    description: description.join(' '),
    address: routeAddress(page),
    body,
    data: describeBoatTrips(config, { origin, destination, sailings: upcoming?.sailings ?? [], buyUrl }),
  });
}

function sailingsHtml(
  page: RoutePageData,
  { today, sailings, notices, asOf }: RouteService,
  language: string,
): string {
  const t = textsIn(language);
  const { time_zone } = page.origin;
  const time = `${formatDate(asOf, time_zone, language)}, ${formatClock(asOf.getTime(), time_zone, language)}`;
  return [
    ...notices.map((text) => noticeHtml({ about: null, text })),
    ...[today, addDays(today, 1)].map((day, index) => dayHtml(page, sailings, { day, index, language })),
    `<p class="site-note">${escapeHtml(t('As of {time}.', { time }))}</p>`,
  ].join('');
}

function dayHtml(
  page: RoutePageData,
  sailings: readonly Sailing[],
  { day, index, language }: { day: string; index: number; language: string },
): string {
  const { origin } = page;
  const t = textsIn(language);
  const noon = getLocalInstant(day, '12:00', origin.time_zone);
  const own = sailings.filter(({ departs_local }) => departs_local.startsWith(day));
  const coming = own.filter(({ status }) => status !== 'departed' && status !== 'arrived');
  const left = own.length - coming.length;
  const date = formatDate(new Date(noon), origin.time_zone, language);
  const rows = coming.map((sailing) => sailingHtml(page, sailing, language));
  const notes = [
    left > 0 ? t('{count, plural, one {# sailing has} other {# sailings have}} left.', { count: left }) : '',
    rows.length > 0 ? t('Times in {zone}.', { zone: getZoneLabel(noon, origin.time_zone) }) : '',
  ].filter(Boolean);
  return [
    `<h2>${escapeHtml(index === 0 ? t('Today, {date}', { date }) : t('Tomorrow, {date}', { date }))}</h2>`,
    rows.length > 0 ? tableHtml(t, rows) : '',
    `<p class="site-note">${own.length === 0 ? t('No sailings on this day.') : notes.join(' ')}</p>`,
  ].join('');
}

/** Sailings of a day. Laid out as blocks on phones, the parts of a table need their roles. */
function tableHtml(t: Translate, rows: readonly string[]): string {
  const headers = [t('Departs'), t('Arrives'), t('Vessel'), t('State|of a sailing'), t('Price')].map(
    (header) => `<th role="columnheader" scope="col">${escapeHtml(header)}</th>`,
  );
  return [
    '<div class="site-card site-table"><table role="table">',
    `<thead role="rowgroup"><tr role="row">${headers.join('')}</tr></thead>`,
    `<tbody role="rowgroup">${rows.join('')}</tbody></table></div>`,
  ].join('');
}

function sailingHtml(page: RoutePageData, sailing: Sailing, language: string): string {
  const { departs_at, departs_zone, departs_zone_label, arrives_at, arrives_zone, arrives_zone_label } =
    sailing;
  const { availability, delay_minutes, status, status_text, vessel } = sailing;
  const zone = arrives_zone_label === departs_zone_label ? '' : ` ${arrives_zone_label}`;
  const t = textsIn(language);
  const { departs, arrives, lateness } = describeCrossingTimes(
    t,
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
  const isCanceled = status === 'canceled';
  const badge = isCanceled
    ? badgeHtml('danger', t('Canceled|a sailing'))
    : lateness === null
      ? ''
      : badgeHtml('warning', lateness);
  // What stands above the sailings is not repeated in each.
  const notices = page.upcoming?.notices ?? [];
  const ownText = notices.reduce((text, notice) => text.replace(notice, '').trim(), status_text);
  const texts = [...new Set([ownText, availability.text])].filter(Boolean).join(' ');
  const cells = [
    shownTimeHtml(t, arrives) + escapeHtml(zone),
    `<a class="site-vessel" href="${escapeHtml(vesselAddress(vessel.name))}">${escapeHtml(vessel.name)}</a>`,
    [badge, escapeHtml(texts)].filter(Boolean).join(' '),
    canBuy ? buyHtml(page, sailing, { departs: departs.text, language }) : '',
  ].map((cell) => `<td role="cell">${cell}</td>`);
  return [
    `<tr role="row"${isCanceled ? ' data-canceled=""' : ''}>`,
    `<th role="rowheader" scope="row">${shownTimeHtml(t, departs)}</th>${cells.join('')}</tr>`,
  ].join('');
}

export function badgeHtml(tone: 'danger' | 'warning', text: string): string {
  return `<span class="site-badge" data-tone="${tone}">${escapeHtml(text)}</span>`;
}

function buyHtml(
  page: RoutePageData,
  sailing: Sailing,
  { departs, language }: { departs: string; language: string },
): string {
  const { from_amount, currency } = sailing;
  const t = textsIn(language);
  const price = from_amount === null ? null : formatMoney(from_amount, currency, language);
  const text = price === null ? t('Buy') : t('Buy from {price}', { price });
  const label =
    price === null
      ? t('Buy, the {time} sailing', { time: departs })
      : t('Buy from {price}, the {time} sailing', { price, time: departs });
  return `<a class="site-buy" aria-label="${escapeHtml(label)}" href="${escapeHtml(buyPath(page, sailing))}">${escapeHtml(text)}</a>`;
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

function formatClock(instant: number, zone: string, language: string): string {
  return formatInstant('clock', instant, { language, zone });
}
