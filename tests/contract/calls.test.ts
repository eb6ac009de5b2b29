import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/api.ts';
import { describeCalls, endpoint, staffEndpoint } from '#contract/endpoint.ts';
import { apiErrors } from '#contract/errors.ts';
import type { endSession } from '#contract/identity/security/endpoints.ts';
import type { getTripCard, startTopUp } from '#contract/trip-cards/endpoints.ts';
import type { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { CustomerSession, StaffSession } from '#server/http/api.ts';
import type { Handlers, SessionFinders } from '#server/http/handle-calls.ts';
import type { DataOf, InputOf } from '#web/platform/api/request-types.ts';

/* The lines below a `@ts-expect-error` compile only if the compiler refuses them, so this file is the proof. */

const ping = { ping: { method: 'GET', path: '/api/ping', auth: 'none' } } as const;
const described = { summary: 'Answers', response: z.object({ pong: z.boolean() }), errors: [] } as const;

test('an endpoint without a description, or a description without an endpoint, does not compile', () => {
  // @ts-expect-error: `ping` is not described
  expect(() => describeCalls(ping, {})).not.toThrow();
  // @ts-expect-error: no endpoint is named `pong`
  expect(() => describeCalls(ping, { ping: described, pong: described })).not.toThrow();
});

test('a call for staff that names no permission does not compile', () => {
  // @ts-expect-error: the permission is missing
  expect(() => staffEndpoint('GET', '/api/ping')).not.toThrow();
  // @ts-expect-error: no permission has this name
  expect(() => staffEndpoint('GET', '/api/ping', 'do_anything')).not.toThrow();
  // @ts-expect-error: staff have an endpoint function of their own
  expect(() => endpoint('GET', '/api/ping', 'staff')).not.toThrow();
  const unnamed = { ping: { method: 'GET', path: '/api/ping', auth: 'staff' } } as const;
  // @ts-expect-error: the permission is missing
  expect(() => describeCalls(unnamed, { ping: described })).not.toThrow();
});

test('a handler that is missing, takes what the call does not describe or answers something else does not compile', () => {
  const answering = describeCalls(ping, { ping: described });
  const good: Handlers<typeof answering> = { ping: () => ({ pong: true }) };
  // @ts-expect-error: no handler for `ping`
  const missing: Handlers<typeof answering> = {};
  // @ts-expect-error: the contract says a boolean
  const wrong: Handlers<typeof answering> = { ping: () => ({ pong: 'yes' }) };
  // @ts-expect-error: the call has no body
  const taking: Handlers<typeof answering> = { ping: ({ body }) => ({ pong: body.length > 0 }) };
  // @ts-expect-error: a list answers with its page
  const list: Pick<Handlers<typeof tripCardCalls>, 'listTripCards'> = { listTripCards: () => [] };
  expect([good, missing, wrong, taking, list]).toHaveLength(5);
});

test('a request without the ids, the key or the fields its call needs does not compile', () => {
  const id = 'trc_1';
  const good: InputOf<typeof startTopUp> = { params: { id }, body: { amount: 500 }, idempotencyKey: 'k' };
  // @ts-expect-error: the path has an id
  const ids: InputOf<typeof getTripCard> = {};
  // @ts-expect-error: money needs a key
  const key: InputOf<typeof startTopUp> = { params: { id }, body: { amount: 500 } };
  // @ts-expect-error: the wire’s spelling is not the screens’
  const body: InputOf<typeof startTopUp> = { ...good, body: { amount: 500, payment_card_id: id } };
  // @ts-expect-error: responses are in camel case
  const card: Pick<DataOf<typeof getTripCard>, 'last_four'> = { last_four: '4242' };
  const nothing: DataOf<typeof endSession> = null;
  expect([ids, key, body, card, nothing]).toHaveLength(5);
});

test('a call of one kind of session that is given the other does not compile', () => {
  const auths = {
    mine: { method: 'GET', path: '/api/mine', auth: 'session' },
    ours: { method: 'GET', path: '/api/ours', auth: 'staff', permission: 'own_session' },
  } as const;
  const answering = describeCalls(auths, { mine: described, ours: described });
  const readCustomer = ({ customerId }: CustomerSession) => ({ pong: customerId.length > 0 });
  const readStaff = ({ staffId }: StaffSession) => ({ pong: staffId.length > 0 });
  const good: Handlers<typeof answering> = {
    mine: ({ session }) => readCustomer(session),
    ours: ({ session }) => readStaff(session),
  };
  const swapped: Handlers<typeof answering> = {
    // @ts-expect-error: the session of a customer is not that of a staff member
    mine: ({ session }) => readStaff(session),
    // @ts-expect-error: the session of a staff member is not that of a customer
    ours: ({ session }) => readCustomer(session),
  };
  // @ts-expect-error: each kind of session has its finder
  const finders: SessionFinders = { customer: async () => null };
  expect([good, swapped, finders]).toHaveLength(3);
});

test('calls have unique names and routes, and refuse with known codes', () => {
  const routes = calls.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(calls.length);
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
  for (const { errors = [] } of calls) for (const code of errors) expect(apiErrors).toHaveProperty(code);
});
