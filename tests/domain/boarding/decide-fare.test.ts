import { describe, expect, test } from 'vitest';
import type { FareCard, FareParty } from '#contract/gate/fares/schemas.ts';
import { decideFare, type FareInput, isShownCard } from '#domain/boarding/decide-fare.ts';
import { buildFareCard, buildGateFares, buildGateSailing } from '#tests/factories/gate.ts';

const NOW = Date.parse('2026-06-02T15:30:00.000Z');
const boat = buildGateSailing();
const [fares] = buildGateFares([boat]).sailings;
const party = (counts: Record<string, number>): FareParty =>
  Object.entries(counts).map(([type, count]) => ({ type, count }));

function decide(
  card: Partial<FareCard>,
  counts: Record<string, number> = { adult: 1 },
  more: Partial<FareInput> = {},
) {
  const input = {
    card: buildFareCard(card),
    party: party(counts),
    sailing: boat,
    fares,
    left: null,
    now: NOW,
  };
  return decideFare({ ...input, ...more });
}

const pass = (rules: Partial<NonNullable<FareCard['pass']>> = {}): Partial<FareCard> => ({
  ...{ unit: 'trips', balance: 3 },
  pass: { name: '10-trip pass', ends_at: null, lines: null, passenger_types: null, ...rules },
});

describe('decideFare', () => {
  test('takes what the travelers pay from a card with money', () => {
    expect(decide({ balance: 2275 }, { adult: 1, child: 2, infant: 1 })).toEqual({
      answer: 'take',
      amount: 2275,
    });
    expect(decide({ balance: 1275 })).toEqual({ answer: 'take', amount: 1275 });
  });

  test('takes a trip of a pass for each traveler who is not free', () => {
    expect(decide(pass(), { adult: 1, child: 1, infant: 1 })).toEqual({ answer: 'take', amount: 2 });
    expect(decide(pass({ passenger_types: ['adult'] }), { adult: 1, infant: 1 })).toMatchObject({
      amount: 1,
    });
  });

  test.each([
    ['not_enough', decide({ balance: 1274 })],
    ['not_enough', decide(pass(), { adult: 4 })],
    ['card_blocked', decide({ is_blocked: true, balance: 0 })],
    ['code_expired', decide({ valid_until_minute: NOW / 60_000 - 1 })],
    ['pass_ended', decide(pass({ ends_at: boat.departs_at }))],
    ['other_line', decide(pass({ lines: ['river'] }))],
    ['other_travelers', decide(pass({ passenger_types: ['adult'] }), { adult: 1, child: 1 })],
    ['needs_adult', decide({}, { child: 1, infant: 1 })],
    ['needs_adult', decide({}, {})],
    ['no_fare', decide({}, { ghost: 1 })],
    ['no_fare', decide({}, { adult: 1 }, { fares: undefined })],
    ['limit_reached', decide({}, { adult: 1 }, { left: 1274 })],
    ['departed', decide({}, { adult: 1 }, { sailing: { ...boat, departed_at: boat.departs_at } })],
    ['sailing_canceled', decide({}, { adult: 1 }, { sailing: { ...boat, status: 'suspended' } })],
  ])('stops for the reason %s', (reason, decision) => {
    expect(decision).toMatchObject({ answer: 'stop', reason });
  });

  test('takes nothing of travelers who are free', () => {
    const free = fares && { ...fares, travelers: fares.travelers.map((each) => ({ ...each, amount: 0 })) };
    expect(decide({}, { adult: 1 }, { fares: free })).toEqual({ answer: 'stop', reason: 'free', amount: 0 });
  });

  test('still boards people of a boat that closed check-in, up to the limit and balance', () => {
    const closed = { ...boat, check_in_closed_at: '2026-06-02T15:20:00.000Z' };
    expect(decide({}, { adult: 1 }, { sailing: closed, left: 1275 }).answer).toBe('take');
  });
});

test('numbers and codes of trip cards are told from tickets and other texts', () => {
  for (const text of ['9000 0000 0000 0001', ' gc1abc', 'GP1ABC']) expect(isShownCard(text)).toBe(true);
  for (const text of ['9000000000000009', 'GW1ABC', 'K7M4 QXP8', '', 'https://example.com/GC1']) {
    expect(isShownCard(text)).toBe(false);
  }
});
