import { randomUUID } from 'node:crypto';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { must, type Office } from './buyer.ts';
import { createStaffMember, startStaffSession } from './staff.ts';

export type Clerk = Awaited<ReturnType<typeof signInClerk>>;

/** A person of the desk or the office, who calls with a new idempotency key each time. */
export async function signInClerk(office: Office, role: StaffRole, options: { isFresh?: boolean } = {}) {
  const { id } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, id, options);
  return {
    ...{ id, headers },
    /** @param params of the path */
    call: (
      { method, path }: Pick<Endpoint, 'method' | 'path'>,
      params: Readonly<Record<string, string>>,
      body?: object,
    ): Promise<TestReply> =>
      office.request(method, fillPath(path, params), {
        ...{ headers, idempotencyKey: randomUUID() },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

/** A paid order of these adults. */
export async function buyTickets(
  office: Office,
  adults: number,
): Promise<{ id: string; reference: string; total: number }> {
  const { order, intent } = await office.takePayment({ adults });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order;
}

/** Adds adults on foot to the queue of a sailing, to be sold tickets. */
export async function addToQueue({ call }: Clerk, sailingId: string, adults = 1): Promise<string> {
  const passengers = [{ type: 'adult', count: adults }];
  return must(await call(api.joinQueue, { id: sailingId }, { passengers, phone: '+12065550123' })).entry_id;
}

/** Prices who waits in the queue, and has a payment link mailed to Ada for two hours. */
export async function sendLink({ call }: Clerk, entryId: string, more: object = {}): Promise<TestReply> {
  const [quote] = must(await call(api.quoteQueueEntry, { id: entryId })).quotes;
  const buyer = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const link = { quote_id: quote.id, ...buyer, minutes: 120, ...more };
  return call(api.sendPaymentLink, { id: entryId }, link);
}

/** Prices who waits in the queue, and holds the places for Ada, who pays at the pier. */
export async function holdForPier({ call }: Clerk, entryId: string, more: object = {}): Promise<TestReply> {
  const [quote] = must(await call(api.quoteQueueEntry, { id: entryId })).quotes;
  const hold = { quote_id: quote.id, name: 'Ada Lovelace', phone: '+12065550123', ...more };
  return call(api.holdForPier, { id: entryId }, hold);
}

/** What staff did with an order, the latest first, without looking at it. */
export function listActions({ audit }: StaffOrder): string[] {
  return audit.filter(({ action }) => action !== 'order_viewed').map(({ action }) => action);
}
