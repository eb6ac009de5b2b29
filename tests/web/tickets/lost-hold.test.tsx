import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { chooseSailing, fillDetails, press } from './purchase-steps.ts';
import {
  answerApi,
  buildHold,
  buildQuote,
  buildSailing,
  buildUnpaidOrder,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const HOLD_LOST = () => refusal('not_found', 'We could not find that.', { field: 'hold_id' });

/** An API that loses the first hold and knows every later one. */
function answerWithLostHold(holdAgain: () => Response) {
  let holds = 0;
  return answerApi({
    'GET /api/sailings/sai_out2': () => success(buildSailing('sai_out2')),
    'POST /api/holds': () => {
      holds += 1;
      return holds === 1 ? success(buildHold()) : holdAgain();
    },
    'POST /api/orders': ({ body }) => (body.hold_id === 'hld_1' ? HOLD_LOST() : success(buildUnpaidOrder())),
  });
}

async function orderWithLostHold() {
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
}

test('places that the server lost are held again, and the purchase goes on', async () => {
  const api = answerWithLostHold(() => success(buildHold({ id: 'hld_2' })));
  await orderWithLostHold();
  expect(await screen.findByRole('heading', { name: 'Payment' })).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(2);
  expect(currentDraft()).toMatchObject({ hold: { id: 'hld_2' }, contact: { name: 'Ada Lovelace' } });
});

test('a price that changed when lost places are held again is ordered only after it is accepted', async () => {
  const higherQuote = buildQuote({ id: 'quote-000000000000000000002', total: 2450 });
  let holds = 0;
  const api = answerApi({
    'POST /api/holds': ({ body }) => {
      holds += 1;
      if (holds === 1) return success(buildHold());
      if (body.quote_id === higherQuote.id) return success(buildHold({ id: 'hld_2' }));
      return refusal('price_changed', 'The price has changed.', { details: { quote: higherQuote } });
    },
    'POST /api/orders': ({ body }) => (body.hold_id === 'hld_1' ? HOLD_LOST() : success(buildUnpaidOrder())),
  });
  await orderWithLostHold();
  expect(
    await screen.findByText(/and is now \$24\.50\. Nothing is charged unless you accept it/),
  ).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(1);
  await press('Accept and go to payment');
  expect(await screen.findByRole('heading', { name: 'Payment' })).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(2);
});

test('lost places on a sold-out sailing lead to the sailings that still have room', async () => {
  answerWithLostHold(() =>
    refusal('sold_out', 'Those places are gone.', {
      details: { resource: 'passenger', sailing_id: 'sai_out1', alternatives: [{ sailing_id: 'sai_out2' }] },
    }),
  );
  await orderWithLostHold();
  expect(await screen.findByText('Those places were just taken')).toBeDefined();
  expect(await screen.findByRole('list', { name: 'Sailings with room for your party' })).toBeDefined();
  expect(currentDraft()).toMatchObject({
    hold: null,
    contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    outward: { id: 'sai_out1' },
  });
});

test('"More time" also holds lost places again', async () => {
  const api = answerApi({
    'PATCH /api/holds/hld_1': () => refusal('not_found', 'We could not find that.'),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('More time');
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(2));
  expect(screen.queryByText('We could not find that.')).toBeNull();
});

test('"More time" extends the hold', async () => {
  const later = new Date(Date.now() + 1_200_000).toISOString();
  answerApi({
    'PATCH /api/holds/hld_1': () => success(buildHold({ expires_at: later, can_extend: false })),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('More time');
  await waitFor(() => expect(currentDraft().hold?.expiresAt).toBe(later));
  expect(screen.queryByRole('button', { name: 'More time' })).toBeNull();
});
