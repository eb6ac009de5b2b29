import { describe, expect, test } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { listJourneyChoices } from '#web/features/order/cancel/ticket-choices.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { buildLeg, buildOrder, buildTicket } from './orders.ts';

const first = buildLeg({ departs_at: '2026-06-05T15:00:00Z' });
const second = buildLeg({ leg: 'out_onward', sailing_id: 'sai_2', departs_at: '2026-06-05T18:00:00Z' });
const onboard = Date.parse('2026-06-05T15:30:00Z');

function listIds(choiceUntil: string | null): string[] {
  const tickets = [buildTicket(1), { ...buildTicket(2, { leg: 'out_onward' }), party_index: 1 }];
  const order: Order = buildOrder({ legs: [first, second], tickets, choice_until: choiceUntil });
  return listJourneyChoices(camelCased(order), onboard).flatMap(({ choices }) =>
    choices.flatMap(({ ticketIds }) => ticketIds),
  );
}

describe('listWayChoices, after the first of two boats has departed', () => {
  test('has the ticket of the second one while another sailing may be chosen', () => {
    expect(listIds('2026-06-08T15:00:00Z')).toEqual(['tkt_2']);
  });

  test('has none of a journey that runs as bought', () => {
    expect(listIds(null)).toEqual([]);
    expect(listIds('2026-06-05T15:00:00Z')).toEqual([]);
  });
});
