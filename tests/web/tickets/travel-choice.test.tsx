import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JourneyOptions, OrderOptions } from '#contract/orders/rebook/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, refusal, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const PATH = '/orders/ord_1/confirmation';
const ORDER = 'GET /api/orders/ord_1';
const OPTIONS = 'GET /api/orders/ord_1/options';
const REBOOK = 'POST /api/orders/ord_1/rebook';
const OPEN_TICKET = 'POST /api/orders/ord_1/open_ticket';
const JOURNEYS = 'GET /api/orders/ord_1/options/journeys';
const QUOTE = 'POST /api/orders/ord_1/cancellations/quote';

beforeEach(() => {
  openPage(`${TICKETS}${PATH}`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DAY = '2999-06-05';
const legAt = (hour: string, sailing_id: string, over: object = {}) =>
  buildLeg({
    sailing_id,
    departs_at: `${DAY}T${hour}:30:00Z`,
    arrives_at: `${DAY}T${hour}:55:00Z`,
    departs_local: `${DAY}T${hour}:30:00-07:00`,
    arrives_local: `${DAY}T${hour}:55:00-07:00`,
    ...over,
  });
const canceled = legAt('10', 'sai_out1', { status: 'canceled' });
const kept = legAt('12', 'sai_2');
const later = legAt('14', 'sai_3');

function buildAffected(over: Partial<Order> = {}): Order {
  return buildOrder({
    legs: [canceled],
    tickets: [buildTicket(1), buildTicket(2)],
    ...{ display_status: 'action_needed', needs_attention: 'sailing_canceled', needs_proof: 'code' },
    choice_until: `${DAY}T08:00:00Z`,
    ...over,
  });
}

function buildOptions(over: Partial<JourneyOptions> = {}): OrderOptions {
  return {
    ...{ version: 3, refund: 2550, currency: 'USD', later_same_day: false, as_of: '2026-06-01T12:00:00Z' },
    journeys: [
      {
        ...{
          direction: 'out',
          reason: 'sailing_canceled',
          status: 'open',
          booked: [canceled],
          others: [[later]],
        },
        protected: { journey: [kept], until: `${DAY}T12:20:00Z`, until_local: `${DAY}T12:20:00-07:00` },
        ...{ deadline: `${DAY}T08:00:00Z`, deadline_local: '2999-06-08T08:00:00-07:00' },
        ...{ if_unanswered: 'refund', refund: 2550 },
        ...over,
      },
    ],
  };
}

const MOVED = buildAffected({
  legs: [kept],
  tickets: [buildTicket(3, { sailing_id: 'sai_2' })],
  ...{ display_status: 'upcoming', needs_attention: null, version: 4 },
});

/** An API with an order whose sailing is canceled, until it is moved. */
function answerWith(over: Parameters<typeof answerApi>[0] = {}) {
  let order = buildAffected();
  return answerApi({
    [ORDER]: () => success(order),
    [OPTIONS]: () =>
      success(
        order === MOVED ? buildOptions({ status: 'moved', booked: [kept], protected: null }) : buildOptions(),
      ),
    [REBOOK]: () => {
      order = MOVED;
      return success(MOVED);
    },
    ...over,
  });
}

const findCard = () => screen.findByRole('heading', { name: 'Your 10:30 AM sailing is canceled' });
const travel = (name: string) => screen.getByRole('button', { name });

/** Chooses a sailing and confirms it. */
async function travelBy(button: HTMLElement): Promise<void> {
  await user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Travel on this sailing?' }));
  await user.click(dialog.getByRole('button', { name: 'Move all tickets' }));
}

describe('a passenger whose sailing is canceled', () => {
  test('travels on the protected sailing after reading its full date', async () => {
    const api = answerWith();
    await visit(PATH);
    await findCard();
    expect(
      screen.getByText(/^We keep places for you on the sailing below until Wed, Jun 5, 12:20 PM PDT/),
    ).toBeDefined();
    expect(screen.getByText(/^If we do not hear from you by Sat, Jun 8, 8:00 AM PDT/)).toBeDefined();
    await user.click(travel('Travel at 12:30 PM'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Travel on this sailing?' }));
    expect(dialog.getByText('Wed, June 5, 2999')).toBeDefined();
    expect(dialog.getByText('12:30 PM')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Not yet' }));
    expect(api.to(REBOOK)).toEqual([]);
    await travelBy(travel('Travel at 12:30 PM'));
    expect(
      await screen.findByRole('heading', { name: 'You can still choose another sailing' }),
    ).toBeDefined();
    expect(api.to(REBOOK).map(({ body }) => body)).toEqual([
      { direction: 'out', sailing_ids: ['sai_2'], version: 3 },
    ]);
    expect(screen.getByText(/^You travel at 12:30 PM on Wed, Jun 5/)).toBeDefined();
  });

  test('chooses another sailing', async () => {
    const api = answerWith();
    await visit(PATH);
    await findCard();
    await user.click(screen.getByText('Other sailings'));
    await travelBy(travel('Travel at 2:30 PM, Wed, Jun 5'));
    await waitFor(() => expect(api.to(REBOOK)).toHaveLength(1));
    expect(api.to(REBOOK)[0]?.body).toMatchObject({ sailing_ids: ['sai_3'] });
  });

  test('keeps an open ticket, and chooses a sailing of another day', async () => {
    const open_ticket = { until: '2999-06-20T06:59:00Z', until_local: '2999-06-19T23:59:00-07:00' };
    const open = legAt('10', 'sai_out1', {
      status: 'canceled',
      open_ticket_until_local: open_ticket.until_local,
    });
    const OPEN = buildAffected({ legs: [open], version: 4 });
    const nextDay = legAt('15', 'sai_9', { departs_local: '2999-06-06T15:30:00-07:00' });
    let order = buildAffected();
    const api = answerWith({
      [ORDER]: () => success(order),
      [OPTIONS]: () =>
        success(
          order === OPEN
            ? buildOptions({
                ...{ status: 'open_ticket', booked: [open], protected: null, open_ticket: null },
                ...{ deadline_local: open_ticket.until_local, days: { first: DAY, last: '2999-06-19' } },
              })
            : buildOptions({ open_ticket }),
        ),
      [OPEN_TICKET]: () => {
        order = OPEN;
        return success(OPEN);
      },
      [JOURNEYS]: ({ query }) =>
        success({ journeys: query.get('day') === '2999-06-06' ? [[nextDay]] : [], as_of: open.departs_at }),
    });
    await visit(PATH);
    await findCard();
    expect(screen.getByText(/you choose a sailing later, until Wed, Jun 19, 11:59 PM PDT/)).toBeDefined();
    await user.click(travel('Keep an open ticket'));
    expect(await screen.findByRole('heading', { name: 'You have an open ticket' })).toBeDefined();
    expect(api.to(OPEN_TICKET).map(({ body }) => body)).toEqual([{ direction: 'out', version: 3 }]);
    expect(screen.getAllByText('Open ticket until Wed, Jun 19').length).toBeGreaterThan(0);
    expect(screen.getByText(/^Your open ticket is valid until Wed, Jun 19, 11:59 PM PDT/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Keep an open ticket' })).toBeNull();
    await user.selectOptions(screen.getByLabelText('Day'), '2999-06-07');
    expect(await screen.findByText(/^No sailing has enough room for you then/)).toBeDefined();
    await user.selectOptions(screen.getByLabelText('Day'), '2999-06-06');
    await travelBy(await screen.findByRole('button', { name: 'Travel at 3:30 PM, Thu, Jun 6' }));
    await waitFor(() =>
      expect(api.to(REBOOK)[0]?.body).toMatchObject({ direction: 'out', sailing_ids: ['sai_9'] }),
    );
  });

  test('begins the full refund with the tickets of this journey chosen', async () => {
    const api = answerWith({ [QUOTE]: () => refusal('refund_not_allowed', 'No refund.') });
    await visit(PATH);
    await findCard();
    await user.click(travel('Get a full refund ($25.50)'));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'See your refund' }));
    await waitFor(() => expect(api.to(QUOTE)[0]?.body).toEqual({ ticket_ids: ['tkt_1', 'tkt_2'] }));
  });

  test('sees why a sailing cannot be taken, and the sailings that are left', async () => {
    const api = answerWith({
      [REBOOK]: () => refusal('sold_out', 'That sailing has not enough room for you any more.'),
    });
    await visit(PATH);
    await findCard();
    await travelBy(travel('Travel at 12:30 PM'));
    expect(await screen.findByText('That sailing has not enough room for you any more.')).toBeDefined();
    await waitFor(() => expect(api.to(OPTIONS).length).toBeGreaterThan(1));
  });

  test('is asked to choose again after the order has changed', async () => {
    answerWith({ [REBOOK]: () => refusal('version_conflict', 'This order has changed.') });
    await visit(PATH);
    await findCard();
    await travelBy(travel('Travel at 12:30 PM'));
    expect(
      await screen.findByText(/^This order was changed while you looked at it. Nothing was moved/),
    ).toBeDefined();
  });

  test('has moved once when the answer was lost', async () => {
    let order = buildAffected();
    const api = answerWith({
      [ORDER]: () => success(order),
      [REBOOK]: () => {
        order = MOVED;
        throw new TypeError('Failed to fetch');
      },
    });
    await visit(PATH);
    await findCard();
    await travelBy(travel('Travel at 12:30 PM'));
    expect(await screen.findByText(/^You now travel at 12:30 PM on Wed, Jun 5\./)).toBeDefined();
    expect(api.to(REBOOK).length).toBeGreaterThan(0);
  });

  test('may choose among the others when no places are kept, and keeps valid tickets', async () => {
    answerWith({
      [OPTIONS]: () =>
        success(
          buildOptions({
            ...{ reason: 'sailing_delayed', if_unanswered: 'keep', protected: null },
            booked: [legAt('10', 'sai_out1', { delay_minutes: 100 })],
            others: [[legAt('14', 'sai_3', { delay_minutes: 20 })]],
          }),
        ),
    });
    await visit(PATH);
    expect(
      await screen.findByRole('heading', { name: 'Your 10:30 AM sailing leaves at 12:10 PM' }),
    ).toBeDefined();
    expect(screen.getByText(/^We keep no places for you/)).toBeDefined();
    expect(screen.getByText(/If you do nothing, your tickets stay valid\.$/)).toBeDefined();
    expect(travel('Travel at 2:50 PM, Wed, Jun 5')).toBeDefined();
    expect(screen.getByText('2:30 PM').tagName).toBe('S');
    expect(screen.getByText(/^20 min late · arrives/)).toBeDefined();
  });

  test('sees no choice after its deadline', async () => {
    const api = answerWith({
      [ORDER]: () => success(buildAffected({ choice_until: '2020-01-01T00:00:00Z' })),
    });
    await visit(PATH);
    await screen.findByRole('heading', { level: 1, name: / → / });
    expect(api.to(OPTIONS)).toHaveLength(0);
  });
});
