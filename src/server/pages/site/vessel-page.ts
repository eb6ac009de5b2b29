import { getNumberFormat } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';
import { describePlaces } from '#sentences/accessibility.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import type { CatalogueRecord } from '#server/sailings/queries.ts';
import type { SentDocument } from '../front-end.ts';
import { type NamedRoute, routeAddress } from './named-route.ts';
import { findShownPicture, pictureHtml } from './pictures.ts';
import { composeSiteDocument, type Render } from './site-document.ts';

export type Vessel = CatalogueRecord['vessels'][number];

type VesselPage = {
  vessel: Vessel;
  /** Under the name in the operator's language. */
  address: string;
  /** Those that it runs in the next days; null if they cannot be read at the moment. */
  routes: readonly NamedRoute[] | null;
};

/** Boats for fewer passengers are drawn as water taxis. */
const FERRY_PASSENGERS = 50;

/** What a boat is like: its size, what is on board, its accessibility, and where it runs. */
export function composeVesselPage(render: Render, { vessel, address, routes }: VesselPage): SentDocument {
  const { language } = render.config.settings;
  const t = textsIn(language);
  const picture = findShownPicture(vessel);
  return composeSiteDocument(render, {
    title: vessel.name,
    description: t('{vessel}: places, facilities, accessibility and routes.', { vessel: vessel.name }),
    address,
    body: [
      `<h1>${escapeHtml(vessel.name)}</h1>`,
      vessel.description === '' ? '' : `<p>${escapeHtml(vessel.description)}</p>`,
      picture ? pictureHtml(picture, { isFirst: true }) : silhouetteSvg(vessel),
      placesHtml(t, vessel, language),
      sectionHtml(t('On board'), [vessel.facilities]),
      sectionHtml(t('Accessibility'), [describePlaces(t, vessel), vessel.accessibilityNotes]),
      routesHtml(t, routes ?? []),
    ],
    data: null,
    picture,
  });
}

function placesHtml(t: Translate, vessel: Vessel, language: string): string {
  const { passengerCapacity, laneCm, tallLaneCm, bicycleCapacity } = vessel;
  const number = (count: number) => getNumberFormat(language, {}).format(count);
  const rows = [
    [t('Passengers'), number(passengerCapacity)],
    [t('Vehicles'), laneCm + tallLaneCm > 0 ? t('Yes') : t('No')],
    [t('Bicycles'), bicycleCapacity > 0 ? number(bicycleCapacity) : t('No')],
  ].map(([term = '', value = '']) => `<div><dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd></div>`);
  return `<dl class="site-card">${rows.join('')}</dl>`;
}

/** Without a heading if there is nothing to say. */
function sectionHtml(heading: string, sentences: readonly string[]): string {
  const texts = sentences.filter((text) => text !== '').map((text) => `<p>${escapeHtml(text)}</p>`);
  return texts.length === 0
    ? ''
    : `<section class="site-part"><h2>${escapeHtml(heading)}</h2>${texts.join('')}</section>`;
}

function routesHtml(t: Translate, routes: readonly NamedRoute[]): string {
  if (routes.length === 0) return '';
  return `<section class="site-part"><h2>${escapeHtml(t('Where it runs'))}</h2>${routeListHtml(t, routes)}</section>`;
}

/** Links to the pages of routes. */
export function routeListHtml(t: Translate, routes: readonly NamedRoute[]): string {
  const items = routes.map(({ origin, destination }) => {
    const name = t('{origin} to {destination}', { origin: origin.name, destination: destination.name });
    const address = routeAddress({ origin, destination });
    return `<li class="site-card"><a href="${escapeHtml(address)}">${escapeHtml(name)}</a></li>`;
  });
  return `<ul class="site-list">${items.join('')}</ul>`;
}

/** The side view of a car ferry, a passenger boat or a water taxi. */
function silhouetteSvg({ laneCm, tallLaneCm, passengerCapacity }: Vessel): string {
  const kind =
    laneCm + tallLaneCm > 0 ? 'ferry' : passengerCapacity < FERRY_PASSENGERS ? 'taxi' : 'passenger';
  const { house, hull } = SILHOUETTES[kind];
  return [
    '<svg class="site-silhouette" viewBox="0 0 320 90" aria-hidden="true">',
    `<path class="vessel-house" d="${house}"/><path class="vessel-hull" d="${hull}"/>`,
    '<path class="vessel-sea" d="M0 78q10-6 20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0V90H0z"/></svg>',
  ].join('');
}

const SILHOUETTES = {
  ferry: {
    house:
      'M64 52V36h34V24h26v-8h18v8h52v-8h18v8h26v12h34v16zM76 41v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6zm16 0v6h8v-6z',
    hull: 'M30 52h260l-14 34H44z',
  },
  passenger: {
    house:
      'M92 54l8-16h30V26h54l16 12h24l12 16zM112 43v6h10v-6zm18 0v6h10v-6zm18 0v6h10v-6zm18 0v6h10v-6zm18 0v6h10v-6z',
    hull: 'M70 54h190l-26 32H86z',
  },
  taxi: {
    house: 'M130 60l6-14h34l10 14zM142 49l-3 7h12v-7zm14 0v7h14l-5-7z',
    hull: 'M104 60h112l-22 26h-70z',
  },
} as const;
