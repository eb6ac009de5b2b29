// @vitest-environment node
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { DeparturesSchema } from '#contract/departures/schemas.ts';
import { OrderOptionsSchema } from '#contract/orders/rebook/schemas.ts';
import { OrderSchema, OrderSummarySchema } from '#contract/orders/schemas.ts';
import { SharedTicketsSchema } from '#contract/orders/ticket-shares/schemas.ts';
import { SailingSchema } from '#contract/sailings/schemas.ts';
import {
  OfflineCodeSchema,
  TopUpListSchema,
  TripCardBalanceSchema,
  TripCardSchema,
} from '#contract/trip-cards/schemas.ts';
import { orderOptionsQuery } from '#web/features/order/rebook/options-query.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { orderQuery, sailingsQuery } from '#web/platform/query/queries.ts';
import { getSavedVersion, SAVED_VERSIONS } from '#web/platform/query/query-keys.ts';
import { orderByReferenceQuery, orderListQuery } from '#web/portal/orders/queries.ts';
import {
  entriesQuery,
  offlineCodeQuery,
  topUpsQuery,
  tripCardQuery,
  tripCardsQuery,
} from '#web/portal/trip-cards/queries.ts';
import { departuresQuery } from '#web/tickets/departures/queries.ts';
import { sharedTicketsQuery } from '#web/tickets/shared-tickets/shared-tickets-query.ts';
import { buildPageConfig } from '../page.ts';

/** The response schema of each saved query, by its key. */
const RESPONSES: Record<string, z.ZodMiniType> = {
  order: OrderSchema,
  'shared-tickets': SharedTicketsSchema,
  'order-options': OrderOptionsSchema,
  'customer-order': OrderSchema,
  'customer-orders': OrderSummarySchema,
  sailings: SailingSchema,
  departures: DeparturesSchema,
  'trip-cards/list': TripCardSchema,
  'trip-cards/card': TripCardSchema,
  'trip-cards/code': OfflineCodeSchema,
  'trip-cards/entries': TripCardBalanceSchema,
  'trip-cards/top-ups': TopUpListSchema,
};

const ADVICE = `The response of a saved query changed. Devices still hold data that earlier releases saved.
- If the new field is optional in the schema, it does not count here, and nothing has to be done.
- If the screens can show the earlier data (a field was removed, an enum has a new value), keep the version and update
  only the fingerprint in this test.
- If they cannot, raise the version in query-keys.ts too. The update then deletes this query's records on every device,
  and a passenger without a connection cannot open them.`;

describe('SAVED_VERSIONS', () => {
  test('change when a saved response changes', () => {
    const saved = SAVED_VERSIONS.map(({ key, version }) => {
      const name = key.join('/');
      return `${name} ${version} ${fingerprintOf(RESPONSES[name])}`;
    });
    expect(saved, ADVICE).toEqual([
      'order 1 8f5328dc7a74',
      'order-options 1 7103a4e1afcf',
      'shared-tickets 1 64b11ee9ee17',
      'customer-order 1 8f5328dc7a74',
      'customer-orders 1 2a60c69a8b8c',
      'sailings 1 73ebdd86d446',
      'departures 1 14069c5c5ef7',
      'trip-cards/list 1 ee614dfa2fba',
      'trip-cards/card 1 ee614dfa2fba',
      'trip-cards/code 1 7d8c432f01e7',
      'trip-cards/entries 1 90cc30598038',
      'trip-cards/top-ups 1 0382fce1bec2',
    ]);
  });

  test('contain every saved query', () => {
    providePageConfig(buildPageConfig());
    const queries = [
      orderQuery('id'),
      sharedTicketsQuery('token'),
      orderOptionsQuery('id'),
      orderByReferenceQuery('K7M4-QXP8'),
      orderListQuery({ view: 'upcoming', text: '' }),
      sailingsQuery({ routeId: 'id', date: '2026-06-01', passengers: { adult: 1 } }),
      departuresQuery('ANA'),
      tripCardsQuery,
      ...[tripCardQuery, offlineCodeQuery, entriesQuery, topUpsQuery].map((queryOf) => queryOf('id')),
    ];
    expect(queries.map(({ queryKey }) => getSavedVersion(queryKey))).not.toContain(null);
  });
});

describe('the fingerprint of a response', () => {
  const earlier = z.object({ id: z.string(), legs: z.array(z.object({ status: z.string() })) });
  const shape = { id: z.string(), legs: z.array(z.object({ status: z.string() })) };

  test('does not change when an optional field is added', () => {
    const leg = z.object({ status: z.string(), berth: z.optional(z.string()) });
    expect(fingerprintOf(z.object({ ...shape, legs: z.array(leg), note: z.optional(z.string()) }))).toBe(
      fingerprintOf(earlier),
    );
  });

  test.each([
    ['a required field is added', z.object({ ...shape, note: z.string() })],
    ['a field is removed', z.object({ id: shape.id })],
    ['the type of a field changes', z.object({ ...shape, id: z.number() })],
    ['a field inside a list becomes nullable', z.object({ ...shape, legs: z.nullable(shape.legs) })],
  ])('changes when %s', (_, later) => {
    expect(fingerprintOf(later)).not.toBe(fingerprintOf(earlier));
  });
});

function fingerprintOf(schema: z.ZodMiniType | undefined): string {
  if (schema === undefined) return 'has no response in this test';
  const shape = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return createHash('sha256')
    .update(JSON.stringify(requiredOf(shape)))
    .digest('hex')
    .slice(0, 12);
}

/** A JSON schema without optional properties and descriptions, with sorted keys. */
function requiredOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(requiredOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description: _, $schema: __, properties, required = [], ...rest } = schema as JsonSchema;
  const requiredProperties = Object.entries(properties ?? {}).filter(([name]) => required.includes(name));
  const parts =
    properties === undefined ? rest : { ...rest, properties: Object.fromEntries(requiredProperties) };
  const sorted = Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) =>
    name === 'properties' ? [name, sortedProperties(value)] : [name, requiredOf(value)],
  );
}

/** `properties` is not a schema: its keys are field names. */
function sortedProperties(properties: unknown): unknown {
  return Object.entries(properties as object)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, requiredOf(value)]);
}

type JsonSchema = {
  description?: string;
  $schema?: string;
  properties?: Record<string, unknown>;
  required?: string[];
};
