import type { Port } from '#contract/catalogue/schemas.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { toDecimal } from '#domain/fares/money.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import { imageUrl } from './page-meta.ts';

/** schema.org data of the operator, for the home page. */
export function describeOperator(config: PageConfig): object {
  const { brand, contact } = config.settings;
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: brand.name,
    url: `${config.origins.tickets}/`,
    logo: imageUrl(config),
    ...(brand.tagline === null ? {} : { description: brand.tagline }),
    ...(contact.phone === null ? {} : { telephone: contact.phone }),
    ...(contact.email === null ? {} : { email: contact.email }),
    ...(contact.url === null ? {} : { sameAs: contact.url }),
  };
}

type Trips = {
  origin: Port;
  destination: Port;
  sailings: readonly Sailing[];
  buyUrl: (sailing: Sailing) => string;
};

/** schema.org data of sailings that can be or could have been bought; without canceled and departed ones. */
export function describeBoatTrips(
  { settings }: Pick<PageConfig, 'settings'>,
  { origin, destination, sailings, buyUrl }: Trips,
): object {
  const provider = { '@type': 'Organization', name: settings.brand.name };
  const trips = sailings.flatMap((sailing) => {
    const availability = AVAILABILITY[sailing.availability.state];
    if (availability === null || isOver(sailing)) return [];
    const { from_amount, currency, vessel } = sailing;
    const price = from_amount === null ? {} : { price: toDecimal(from_amount, currency) };
    const expected = getExpectedTimes({
      departsAt: Date.parse(sailing.departs_at),
      arrivesAt: Date.parse(sailing.arrives_at),
      delayMinutes: sailing.delay_minutes,
    });
    return {
      '@type': 'BoatTrip',
      name: `${origin.name} – ${destination.name}, ${vessel.name}`,
      departureTime: formatLocalTime(expected.departsAt, sailing.departs_zone),
      arrivalTime: formatLocalTime(expected.arrivesAt, sailing.arrives_zone),
      departureBoatTerminal: describeTerminal(origin),
      arrivalBoatTerminal: describeTerminal(destination),
      provider,
      offers: {
        '@type': 'Offer',
        ...price,
        priceCurrency: currency,
        availability: `https://schema.org/${availability}`,
        url: buyUrl(sailing),
      },
    };
  });
  return { '@context': 'https://schema.org', '@graph': trips };
}

/** Null: not offered. */
const AVAILABILITY = {
  on_sale: 'InStock',
  low: 'LimitedAvailability',
  full: 'SoldOut',
  closed_online: 'InStoreOnly',
  canceled: null,
  unknown: null,
} as const;

function isOver({ status }: Sailing): boolean {
  return status === 'departed' || status === 'arrived' || status === 'canceled';
}

export function describeTerminal({
  name,
  address,
  lat,
  lon,
}: Pick<Port, 'name' | 'address' | 'lat' | 'lon'>): object {
  return {
    '@type': 'BoatTerminal',
    name,
    ...(address === '' ? {} : { address }),
    ...(lat === null || lon === null
      ? {}
      : { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lon } }),
  };
}
