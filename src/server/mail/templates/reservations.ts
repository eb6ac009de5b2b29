import { fillPath, ticketPages } from '#contract/paths.ts';
import type { TravelLeg, TravelPort } from '#server/documents/travel-document.ts';
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
    reservationStatus: `https://schema.org/Reservation${leg.isCancelled ? 'Cancelled' : 'Confirmed'}`,
    underName: { '@type': 'Person', name: order.contactName },
    url,
    provider,
    reservationFor: { ...describeTrip(leg), provider },
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

function describeTrip({ origin, destination, departsAt, arrivesAt, vesselName }: TravelLeg): object {
  return {
    '@type': 'BoatTrip',
    name: vesselName,
    departureBoatTerminal: describeTerminal(origin),
    arrivalBoatTerminal: describeTerminal(destination),
    departureTime: departsAt.toISOString(),
    arrivalTime: arrivesAt.toISOString(),
  };
}

function describeTerminal({ name, address }: Pick<TravelPort, 'name' | 'address'>): object {
  return { '@type': 'BoatTerminal', name, ...(address === '' ? {} : { address }) };
}
