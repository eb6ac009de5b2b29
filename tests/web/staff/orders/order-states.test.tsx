import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { buildLeg, buildOrder } from '../../features/orders.ts';
import { success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);

/** A day of the device's far future, so that nothing is over. */
const DAY = '2126-06-05';
const at = (clock: string) => ({
  departs_at: `${DAY}T${clock}:00Z`,
  departs_local: `${DAY}T${clock}:00+00:00`,
  departs_zone_label: 'PDT',
});
const booked = buildLeg({
  ...at('08:40'),
  status: 'canceled',
  status_text: 'Canceled because of the weather.',
});
const offered = buildLeg({ ...at('12:00'), sailing_id: 'sai_2', vessel_name: 'MV Kittiwake' });

type Choice = StaffOrder['choices'][number];
const choice: Choice = {
  ...{ direction: 'out', reason: 'sailing_canceled', status: 'open', if_unanswered: 'refund' },
  booked: [booked],
  protected: { journey: [offered], until: `${DAY}T11:50:00Z`, until_local: `${DAY}T11:50:00+00:00` },
  ...{ deadline: `${DAY}T11:50:00Z`, deadline_local: `${DAY}T11:50:00+00:00` },
};

async function show(order: Partial<Order>, over: Partial<StaffOrder> = {}): Promise<void> {
  const base = { confirmed_at: '2026-06-01T12:00:00Z', notice: 'We are sorry.', ...order };
  await openOrder('desk', () => success(null), buildStaffOrder({ order: buildOrder(base), ...over }));
}

const read = (title: string) => {
  const text = screen.getByText(title).closest<HTMLElement>('[data-tone]');
  if (text === null) throw new Error('It is not a notice.');
  return within(text)
    .getAllByRole('paragraph')
    .map(({ textContent }) => textContent);
};

describe('the page of an order tells the clerk', () => {
  test('which boat is canceled, what the buyer was offered, until when, and what to do', async () => {
    await show(
      { needs_attention: 'sailing_canceled', display_status: 'action_needed', legs: [booked] },
      {
        choices: [choice],
      },
    );
    expect(read('The 8:40 AM boat is canceled').slice(1)).toEqual([
      'Port Madrona → Heron Island, Wed, Jun 5, 8:40 AM PDT, MV Tidewater. Canceled because of the weather.',
      'The buyer was offered the full refund, or this: Port Madrona → Heron Island, Wed, Jun 5, 12:00 PM PDT, MV Kittiwake. Its places are held until Wed, Jun 5, 11:50 AM PDT.',
      'The buyer may answer until Wed, Jun 5, 11:50 AM PDT. Without an answer, the tickets are refunded in full.',
      'You can choose another boat for them at no charge, or cancel the tickets for a full refund.',
    ]);
    expect(screen.getByText('Needs attention')).toBeDefined();
    expect(screen.queryByText(/We are sorry/)).toBeNull();
  });

  test('that no boat is held, and that late tickets stay valid without an answer', async () => {
    const late = buildLeg({ ...at('08:40'), delay_minutes: 40 });
    await show(
      { needs_attention: 'sailing_changed', legs: [late] },
      {
        choices: [
          { ...choice, reason: 'sailing_delayed', booked: [late], protected: null, if_unanswered: 'keep' },
        ],
      },
    );
    const sentences = read('The boat is late and leaves at 9:20 AM');
    expect(sentences[1]).toContain('40 min late');
    expect(sentences).toContain(
      'No boat is held for them. They may choose any boat with enough room, or the full refund.',
    );
    expect(sentences).toContain(
      'The buyer may answer until Wed, Jun 5, 11:50 AM PDT. Without an answer, the tickets stay valid.',
    );
  });

  test('that the party was moved and may choose again', async () => {
    await show(
      { notice: '', legs: [offered] },
      {
        choices: [{ ...choice, status: 'moved', booked: [offered] }],
        notice_code: 'changed',
      },
    );
    expect(read('The party travels on another boat now, at 12:00 PM')).toContain(
      'The party may choose again until Wed, Jun 5, 11:50 AM PDT, at no charge.',
    );
    expect(screen.getByText(/^The order was changed/)).toBeDefined();
  });

  test('that the buyer of a canceled boat can no longer choose', async () => {
    await show({ needs_attention: 'sailing_canceled', legs: [booked] });
    expect(read('A boat of this order is canceled')).toContain('The buyer can no longer choose online.');
  });

  test('only that nothing has to be paid, if the boat was canceled before the payment', async () => {
    await show(
      {
        ...{ status: 'canceled', payment_status: 'none', confirmed_at: null, tickets: [] },
        ...{ needs_attention: 'sailing_canceled', legs: [booked] },
      },
      { notice_code: 'boat_canceled' },
    );
    expect(read('A boat was canceled before the order was paid').slice(1)).toEqual([
      'Nothing has to be paid. Sell the buyer another boat.',
    ]);
    expect(screen.queryByText('A boat of this order is canceled')).toBeNull();
  });

  test('that a boat is on hold', async () => {
    const status_text = 'On hold because of the weather. It is not decided yet whether it runs.';
    await show({ legs: [buildLeg({ ...at('08:40'), status: 'suspended', status_text })] });
    const sentences = read('The 8:40 AM boat is on hold');
    expect(sentences[1]).toContain(status_text);
    expect(sentences[2]).toBe('The tickets stay valid, and nothing was offered yet.');
  });

  test('how much of a canceled order was refunded', async () => {
    const refunds: Order['refunds'] = [
      {
        ...{ id: 'rfd_1', amount: 1850, destination: 'card', network: 'visa', last_four: '4242' },
        ...{ reason: 'operator', status: 'succeeded', inserted_at: '2026-06-02T12:00:00Z' },
      },
    ];
    await show({ status: 'canceled', refunds }, { notice_code: 'canceled_and_refunded' });
    expect(read('The order was canceled and refunded in full')).toContain('Refunds: $18.50 of $18.50.');
  });

  test('that a bank decides about the payment', async () => {
    await show({ payment_status: 'disputed', notice: '' });
    expect(read('The cardholder disputes the payment')[1]).toContain('cannot be changed or refunded');
  });

  test('that the bank has not confirmed the payment yet', async () => {
    await show({
      ...{ status: 'awaiting_payment', payment_status: 'processing', confirmed_at: null },
      ...{ tickets: [], notice: '' },
    });
    expect(read('The payment is in doubt')).toContain(
      'The buyer has paid, but the bank has not confirmed it yet. Take no other payment.',
    );
  });

  test('until when the places are held that a buyer pays online', async () => {
    const hold = { expires_at: `${DAY}T12:00:00Z`, expires_at_max: `${DAY}T12:00:00Z`, can_extend: false };
    await show({ status: 'held', confirmed_at: null, tickets: [], notice: '', payment_status: 'none', hold });
    expect(read('The buyer is paying online')[1]).toMatch(/^The places are held until /);
  });
});
