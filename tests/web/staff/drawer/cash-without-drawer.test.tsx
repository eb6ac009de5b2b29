import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { StaffSession } from '#web/platform/api/types.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { PaymentFields, type TypedPayment } from '#web/staff/gate/payment-fields.tsx';
import { setStaffSession } from '#web/staff/session/staff-session.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';

const user = userEvent.setup();
afterEach(cleanup);

const OPEN = {
  ...{ id: 'drw_1', opened_at: '2026-06-01T08:00:00.000Z', closed_at: null, note: '' },
  ...{ opening: 5000, taken: 0, paid_out: 0, expected: 5000, counted: null },
};
const TITLE = 'Your cash drawer is not open';

function Sale({ onSale }: { onSale: () => void }) {
  const [payment, setPayment] = useState<TypedPayment>({ method: 'cash', typed: '' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSale();
      }}
    >
      <PaymentFields payment={payment} onChange={setPayment} />
      <button type="submit">Sell</button>
    </form>
  );
}

/** Opens a sale for a person with these drawers. Returns what is sent, and the sales. */
function openSale(role: StaffRole, open: typeof OPEN | null = null) {
  openPage(`${STAFF}/`);
  const sent: unknown[] = [];
  const sales: string[] = [];
  answerFetches(({ init }) => {
    const isRead = init.method === 'GET';
    sent.push(isRead ? 'read' : JSON.parse(String(init.body)));
    return success({ open: isRead ? open : OPEN, closed: [], currency: 'USD' });
  });
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  const client = createQueryClient();
  setStaffSession(client, { staff } as StaffSession);
  render(
    <QueryClientProvider client={client}>
      <Sale onSale={() => sales.push('sold')} />
    </QueryClientProvider>,
  );
  return { sent, sales };
}

test('cash without an open drawer is noticed before the sale, and does not stop it', async () => {
  const { sales } = openSale('desk');
  await screen.findByText(TITLE);
  await user.click(screen.getByRole('button', { name: 'Sell' }));
  expect(sales).toEqual(['sold']);
  await user.click(screen.getByRole('radio', { name: 'Card terminal' }));
  expect(screen.queryByText(TITLE)).toBeNull();
});

test('the drawer is opened beside the sale, which Enter does not send', async () => {
  const { sent, sales } = openSale('desk');
  const field = await screen.findByRole('textbox', { name: 'Money in it' });
  await user.type(field, '{Enter}');
  expect(screen.queryByText('Enter an amount.')).not.toBeNull();
  await user.type(field, '50{Enter}');
  await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull());
  expect(sent).toEqual(['read', { opening: 5000 }]);
  expect(sales).toEqual([]);
});

test('nothing is said with an open drawer', async () => {
  const { sent } = openSale('desk', OPEN);
  await waitFor(() => expect(sent).toEqual(['read']));
  expect(screen.queryByText(TITLE)).toBeNull();
});

test('the gate, which has no drawers, is not asked to open one', () => {
  const { sent } = openSale('gate');
  expect(screen.queryByText(TITLE)).toBeNull();
  expect(sent).toEqual([]);
});
