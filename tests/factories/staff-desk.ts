import { randomUUID } from 'node:crypto';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { TestReply } from '#tests/setup/server.ts';
import type { Office } from './buyer.ts';
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

/** What staff did with an order, the latest first, without looking at it. */
export function listActions({ audit }: StaffOrder): string[] {
  return audit.filter(({ action }) => action !== 'order_viewed').map(({ action }) => action);
}
