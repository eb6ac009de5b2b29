import { fillPath, ticketPages } from '#contract/paths.ts';
import { terminalAddress } from '#contract/place-pages.ts';
import type { Translate } from '#messages/translate.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';
import type { CatalogueRecord } from '#server/sailings/queries.ts';
import type { SentDocument } from '../front-end.ts';
import { describeTerminal } from '../structured-data.ts';
import type { NamedRoute } from './named-route.ts';
import { findShownPicture, pictureHtml } from './pictures.ts';
import type { TerminalService } from './read-service.ts';
import { routeMapHtml } from './route-map.ts';
import { composeSiteDocument, noticeHtml, type Render } from './site-document.ts';
import { routeListHtml } from './vessel-page.ts';

export type Terminal = CatalogueRecord['ports'][number];

type TerminalPage = {
  port: Terminal;
  /** All that the operator serves. */
  lines: readonly NamedRoute[];
  /** Null if it cannot be read at the moment. */
  live: TerminalService | null;
};

/** Where a port is, how to get there and on board, what is there, and where boats go. */
export function composeTerminalPage(render: Render, { port, lines, live }: TerminalPage): SentDocument {
  const { config } = render;
  const { language } = config.settings;
  const t = textsIn(language);
  const name = t('{port} ferry terminal', { port: port.name });
  const departures = fillPath(ticketPages.portDepartures, { code: port.code });
  const picture = findShownPicture(port);
  const routes = lines.filter(({ origin }) => origin.id === port.id);
  return composeSiteDocument(render, {
    title: name,
    description: t('Address, parking, accessibility and departures of the ferry terminal {port}.', {
      port: port.name,
    }),
    address: terminalAddress(port.code),
    body: [
      `<h1>${escapeHtml(name)}</h1>`,
      port.description === '' ? '' : `<p>${escapeHtml(port.description)}</p>`,
      ...(live?.notices ?? []).map((text) => noticeHtml({ about: null, text })),
      `<p><a href="${escapeHtml(departures)}">${escapeHtml(t('Departures from {port}', { port: port.name }))}</a></p>`,
      detailsHtml(t, port, config.settings.contact.booth_hours),
      picture ? pictureHtml(picture, { isFirst: false }) : '',
      routes.length === 0
        ? ''
        : `<section class="site-part"><h2>${escapeHtml(t('Routes'))}</h2>${routeListHtml(t, routes)}</section>`,
      routeMapHtml({ lines, chosen: null, service: live?.service ?? null, language }),
    ],
    data: {
      '@context': 'https://schema.org',
      ...describeTerminal(port),
      ...(picture ? { image: config.origins.tickets + picture.path } : {}),
    },
    picture,
  });
}

function detailsHtml(t: Translate, port: Terminal, boothHours: string | null): string {
  const rows = [
    [t('Address'), escapeHtml(port.address) + mapLinkHtml(t, port)],
    [t('Getting there'), escapeHtml(port.directions)],
    [t('Parking'), escapeHtml(port.parking)],
    [t('Way to the boat'), describeStepFree(t, port)],
    [t('Facilities'), escapeHtml(port.facilities)],
    [t('Ticket booth'), escapeHtml(boothHours ?? '')],
    [t('Website'), port.url === '' ? '' : linkHtml(port.url, port.url.replace(/^https?:\/\/|\/$/g, ''))],
  ]
    .filter(([, value]) => value !== '')
    .map(([term = '', value]) => `<div><dt>${escapeHtml(term)}</dt><dd>${value}</dd></div>`);
  return rows.length === 0 ? '' : `<dl class="site-card site-details">${rows.join('')}</dl>`;
}

function mapLinkHtml(t: Translate, { lat, lon }: Terminal): string {
  if (lat === null || lon === null) return '';
  const address = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
  return `<p>${linkHtml(address, t('Show on a map'))}</p>`;
}

function linkHtml(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}

/** Empty if the operator does not say. */
function describeStepFree(t: Translate, { stepFree }: Terminal): string {
  switch (stepFree) {
    case 'yes':
      return t('Step-free');
    case 'partly':
      return t('Partly step-free');
    case 'no':
      return t('There are steps.');
    default:
      return '';
  }
}
