import { fillPath, ticketPages } from '#contract/paths.ts';
import type { TravelLeg } from '#server/documents/travel-document.ts';
import type { TravelPort } from '#server/documents/travel-legs.ts';
import { describeTimes } from '#server/documents/travel-text.ts';
import type { TemplateInput } from './order-parts.ts';

/** schema.org data of an order's crossings with their tickets, from which mail readers make a trip. */
export function describeReservations({ document, settings, origin }: TemplateInput): object {
  const { order, legs, tickets } = document;
  const provider = { '@type': 'Organization', name: settings.brand.name };
  const url = origin + fillPath(ticketPages.confirmation, { id: order.id });
  const travelled = legs.filter(({ leg }) => tickets.some((ticket) => ticket.leg === leg));
  const reservations = travelled.map((leg) => ({
    '@type': 'BoatReservation',
    reservationNumber: order.reference,
    reservationStatus: `https://schema.org/Reservation${leg.isCanceled ? 'Cancelled' : 'Confirmed'}`,
    ...(order.contactName === '' ? {} : { underName: { '@type': 'Person', name: order.contactName } }),
    url,
    provider,
    reservationFor: { ...describeTrip(leg, order.locale), provider },
    reservedTicket: tickets
      .filter((ticket) => ticket.leg === leg.leg)
      .map(({ boardingCode, payload }) => ({
        '@type': 'Ticket',
        ticketNumber: boardingCode,
        ticketToken: `qrCode:${payload}`,
      })),
  }));
  return { '@context': 'https://schema.org', '@graph': reservations };
}

/** Of a late boat the times that are expected. */
function describeTrip(leg: TravelLeg, locale: string): object {
  const { departs, arrives } = describeTimes(leg, locale);
  return {
    '@type': 'BoatTrip',
    name: leg.vesselName,
    departureBoatTerminal: describeTerminal(leg.origin),
    arrivalBoatTerminal: describeTerminal(leg.destination),
    departureTime: new Date(departs.instant).toISOString(),
    arrivalTime: new Date(arrives.instant).toISOString(),
  };
}

function describeTerminal({ name, address }: Pick<TravelPort, 'name' | 'address'>): object {
  return { '@type': 'BoatTerminal', name, ...(address === '' ? {} : { address }) };
}
