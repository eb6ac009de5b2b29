import { routePages } from '#contract/route-pages.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatList } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';
import { describeDuration } from '#sentences/fare-policy.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import type { CanceledSailing } from '#server/departures/canceled-sailings.ts';
import type { SentDocument } from '../front-end.ts';
import { type NamedRoute, routeAddress } from './named-route.ts';
import type { AllRoutesService } from './read-service.ts';
import { routeMapHtml } from './route-map.ts';
import { badgeHtml } from './route-page.ts';
import { composeSiteDocument, noticeHtml, type Render } from './site-document.ts';

type RoutesPage = {
  routes: readonly NamedRoute[];
  currency: string;
  /** Null if it cannot be read at the moment. */
  live: AllRoutesService | null;
};

/** The page that lists all routes with their cheapest price and what is canceled today. */
export function composeRoutesPage(render: Render, { routes, currency, live }: RoutesPage): SentDocument {
  const { brand, language } = render.config.settings;
  const t = textsIn(language);
  const items = routes.map((named) =>
    routeHtml(t, named, { canceled: live?.canceled ?? [], currency, language }),
  );
  const notices = live?.service.notices ?? [];
  return composeSiteDocument(render, {
    title: t('Ferry routes'),
    description: t('All routes of {brand} with today’s sailings and prices.', { brand: brand.name }),
    address: routePages.all,
    body: [
      `<h1>${t('Ferry routes')}</h1>`,
      `<p>${escapeHtml(brand.tagline ?? brand.name)}</p>`,
      ...(notices.length === 0 ? [] : [`<div>${notices.map(noticeHtml).join('')}</div>`]),
      routeMapHtml({ lines: routes, chosen: null, service: live?.service ?? null, language }),
      `<ul class="site-list">${items.join('')}</ul>`,
    ],
    data: null,
  });
}

type RouteContext = { canceled: readonly CanceledSailing[]; currency: string; language: string };

function routeHtml(
  t: Translate,
  { route, origin, destination }: NamedRoute,
  { canceled, currency, language }: RouteContext,
): string {
  const { from_amount, crossing_minutes, carries_vehicles } = route;
  const price =
    from_amount === null ? '' : t('from {price}', { price: formatMoney(from_amount, currency, language) });
  const details = [
    describeDuration(t, crossing_minutes),
    carries_vehicles ? t('Vehicles are carried.') : t('Passengers only.'),
  ];
  const times = canceled
    .filter(({ originId, destinationId }) => originId === origin.id && destinationId === destination.id)
    .map(({ departsAt, timeZone }) =>
      formatInstant('clock', departsAt.getTime(), { language, zone: timeZone }),
    );
  const badge =
    times.length === 0
      ? ''
      : badgeHtml('danger', t('Canceled today: {times}', { times: formatList(language, times) }));
  const ports = { origin: origin.name, destination: destination.name };
  return [
    `<li class="site-card"><div><a href="${escapeHtml(routeAddress({ origin, destination }))}">${escapeHtml(t('{origin} to {destination}', ports))}</a>`,
    `<p class="site-note">${escapeHtml(details.join(' · '))}</p>${badge}</div><span>${escapeHtml(price)}</span></li>`,
  ].join('');
}
