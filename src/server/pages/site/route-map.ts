import type { Port } from '#contract/catalogue/schemas.ts';
import type { Boat, ServiceStatus } from '#contract/departures/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import {
  HEIGHT,
  type MapPort,
  type PlacedPort,
  placeBetween,
  placePorts,
  WIDTH,
} from '#domain/map/map-sketch.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { getProgress } from '#domain/sailings/under-way.ts';
import { describeBoat } from '#sentences/boats.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { textsIn } from '#server/core/texts.ts';

type Line = { origin: Port; destination: Port };

type RouteMap = {
  /** All that the operator serves. */
  lines: readonly Line[];
  /** The line that the page is about: only its boats are told in words. Null: all are. */
  chosen: Line | null;
  /** Null if it cannot be read at the moment. */
  service: ServiceStatus | null;
  language: string;
};

/**
 * A map of the ports and routes with the boats under way as dots, and below it the boats in words; empty if fewer than
 * two ports have a position.
 */
export function routeMapHtml({ lines, chosen, service, language }: RouteMap): string {
  const ends = chosen === null ? [] : [chosen.origin.id, chosen.destination.id];
  const placed = placePorts(listMapPorts(lines), ends);
  const find = (id: string) => placed.find((port) => port.id === id);
  const [from, to] = ends.map(find);
  if (placed.length < 2 || (chosen !== null && (!from || !to))) return '';
  const boats = service === null ? [] : listBoats(service);
  const drawing = [
    coastlineSvg(service?.coastline ?? null),
    ...lines.map((line) => lineSvg('map-line', find(line.origin.id), find(line.destination.id))),
    lineSvg('map-chosen', from, to),
    ...placed.map((port) => portSvg(port, ends.includes(port.id))),
    ...boats.map(({ boat, share }) =>
      boatSvg(find(boat.origin_port_id), find(boat.destination_port_id), share),
    ),
  ];
  const told = boats.filter(({ boat }) => chosen === null || isOnLine(boat, chosen));
  const texts = told.map(({ boat }) => `<p>${escapeHtml(boatText(boat, lines, language))}</p>`);
  return [
    `<figure class="site-map"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${drawing.join('')}</svg>`,
    texts.length === 0 ? '' : `<figcaption>${texts.join('')}</figcaption>`,
    '</figure>',
  ].join('');
}

/** The ports that a line serves, if their position is known. */
function listMapPorts(lines: readonly Line[]): MapPort[] {
  return listPorts(lines).flatMap(({ id, name, lat, lon }) =>
    lat === null || lon === null ? [] : [{ id, name, lat, lon }],
  );
}

function listPorts(lines: readonly Line[]): Port[] {
  const ports = lines.flatMap(({ origin, destination }) => [origin, destination]);
  return [...new Map(ports.map((port) => [port.id, port])).values()];
}

function listBoats({ boats, as_of }: ServiceStatus) {
  return boats.flatMap((boat) => {
    const share = getProgress({ ...readTimes(boat), isCanceled: false }, Date.parse(as_of));
    return share === null ? [] : [{ boat, share }];
  });
}

function readTimes({ departs_at, arrives_at, delay_minutes }: Boat) {
  return {
    departsAt: Date.parse(departs_at),
    arrivesAt: Date.parse(arrives_at),
    delayMinutes: delay_minutes,
  };
}

function isOnLine({ origin_port_id, destination_port_id }: Boat, { origin, destination }: Line): boolean {
  return origin_port_id === origin.id && destination_port_id === destination.id;
}

function boatText(boat: Boat, lines: readonly Line[], language: string): string {
  const port = listPorts(lines).find(({ id }) => id === boat.destination_port_id);
  const { arrivesAt } = getExpectedTimes(readTimes(boat));
  const time = formatInstant('clock', arrivesAt, { language, zone: port?.time_zone });
  return describeBoat(textsIn(language), { vessel: boat.vessel_name, port: port?.name ?? '', time });
}

function coastlineSvg(coastline: ServiceStatus['coastline']): string {
  if (coastline === null) return '';
  const { land, shores } = coastline;
  return `<path class="map-land" d="${escapeHtml(land)}"/><path class="map-shore" d="${escapeHtml(shores)}"/>`;
}

function lineSvg(name: string, from: PlacedPort | undefined, to: PlacedPort | undefined): string {
  return from && to ? `<path class="${name}" d="M${from.x} ${from.y}L${to.x} ${to.y}"/>` : '';
}

function portSvg({ x, y, label, name }: PlacedPort, isEnd: boolean): string {
  const text =
    label === null
      ? ''
      : `<text x="${label.x}" y="${label.y}" text-anchor="${label.anchor}">${escapeHtml(name)}</text>`;
  return `<g class="map-${isEnd ? 'end' : 'port'}"><circle cx="${x}" cy="${y}" r="${isEnd ? 6 : 4}"/>${text}</g>`;
}

function boatSvg(from: PlacedPort | undefined, to: PlacedPort | undefined, share: number): string {
  if (!from || !to) return '';
  const { x, y } = placeBetween(from, to, share);
  return `<circle class="map-boat" cx="${x}" cy="${y}" r="6"/>`;
}
