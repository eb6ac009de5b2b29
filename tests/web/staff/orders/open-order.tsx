import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { RouterProvider } from 'react-router/dom';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { OrderScreen } from '#web/staff/orders/order-screen.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { buildOrder } from '../../features/orders.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

type Sent = { method: string; path: string; body: unknown };

export function buildStaffOrder(over: Partial<StaffOrder> = {}): StaffOrder {
  return {
    order: buildOrder({ contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '' } }),
    ...{ needs_email: true, customer_id: null, payment_link: null, invoice: null, ticket_shares: [] },
    ...{ refund_request: null, notice_code: null, choices: [] },
    ...{ messages: [], notes: [], cancellations: [], changes: [], scans: [], audit: [] },
    ...over,
  };
}

/**
 * Opens an order's page for a person with this role, and returns what the page asks for besides the order.
 * @param answer to what is sent
 */
export async function openOrder(
  role: StaffRole,
  answer: (sent: Sent) => Response,
  found = buildStaffOrder(),
): Promise<Sent[]> {
  openPage(`${STAFF}/orders/${found.order.reference}`);
  const all: Sent[] = [];
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    if (init.method === 'GET' && !pathname.endsWith('/journeys')) return success(found);
    const body: unknown = init.body ? JSON.parse(String(init.body)) : null;
    const sent = { method: String(init.method), path: pathname, body };
    all.push(sent);
    return answer(sent);
  });
  const path = staffPages.order.replace('{reference}', ':reference');
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  const router = createTestRouter([{ path, Component: OrderScreen }], [`/orders/${found.order.reference}`]);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('list', { name: 'History' });
  return all;
}
