import { expect, test } from 'vitest';
import type { FareParty } from '#contract/gate/fares/schemas.ts';
import { decideFare, readCodeCard } from '#domain/boarding/decide-fare.ts';
import {
  formatPassCode,
  formatTripCardCode,
  parseTripCardCode,
  passFormat,
  tripCardFormat,
} from '#domain/trip-cards/trip-card-code.ts';
import { newId } from '#server/core/ids.ts';
import { presentFareCard } from '#server/gate/fares/shown-card.ts';
import type { TripCardRow } from '#server/trip-cards/queries.ts';
import { seeded } from '#tests/bench/seeded.ts';
import { buildGateFares, buildGateSailing } from '#tests/factories/gate.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';

const FARES = 10_000;
const NOW_MINUTE = Date.parse('2026-06-02T15:30:00.000Z') / 60_000;
const SIGNATURE = new Uint8Array(64);

const random = seeded(4712);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

const sailings = [
  buildGateSailing(),
  buildGateSailing({ check_in_closed_at: '2026-06-02T15:20:00.000Z' }),
  buildGateSailing({ departed_at: '2026-06-02T15:25:00.000Z' }),
  buildGateSailing({ status: 'canceled' }),
];
const products = [
  buildPassTerms({ code: 'all' }),
  buildPassTerms({ code: 'sound', lines: ['sound', 'river'], passenger_types: ['adult'] }),
  buildPassTerms({ code: 'river', lines: ['river'] }),
];

/** A card as the server has it, with a code that it made earlier. `isBlocked`: since then. */
function makeCard() {
  const pass = pick([null, ...products]);
  const id = newId('tcd');
  const number = '9000000000000001';
  const balance = pass === null ? below(6000) : below(6);
  const validUntilMinute = NOW_MINUTE - 60 + below(600);
  const madeMinute = validUntilMinute - 24 * 60;
  const fields = { keyId: 'k1', cardId: id, number, balance, madeMinute, validUntilMinute, version: 1 };
  const text =
    pass === null
      ? formatTripCardCode(tripCardFormat.encode(fields), SIGNATURE)
      : formatPassCode(passFormat.encode({ ...fields, product: pass.code }), SIGNATURE);
  const row: TripCardRow = {
    ...{ id, number, name: '', customerId: null, pinHash: null, unit: pass === null ? 'money' : 'trips' },
    ...{ currency: 'USD', pass, expiresAt: null, noticeDays: null, balance, held: 0, entryCount: 1 },
    ...{ lowBalanceAt: null, lowBalanceMailed: false, replacesCardId: null, replacedByCardId: null },
    ...{ lastUsedAt: null, isDemo: false, version: 1, insertedAt: new Date(0), updatedAt: new Date(0) },
    status: pick(['active', 'active', 'active', 'frozen', 'lost'] as const),
  };
  return { row, text, validUntilMinute };
}

test('a device decides from a code as the server does from the card, on 10,000 random fares', () => {
  const reasons = new Map<string, number>();
  for (let made = 0; made < FARES; made += 1) {
    const { row, text, validUntilMinute } = makeCard();
    const sailing = pick([sailings[0], ...sailings]) ?? buildGateSailing();
    const party: FareParty = ['adult', 'child', 'infant', 'ghost'].flatMap((type, index) => {
      const count = index === 3 ? Number(random() < 0.02) : below(3);
      return count > 0 ? [{ type, count }] : [];
    });
    const pack = buildGateFares(sailings, {
      blocked: row.status === 'active' ? [] : [newId('tcd'), row.id],
      passes: products,
    });
    const fares = pack.sailings.find(({ sailing_id }) => sailing_id === sailing.id);
    const shared = { party, sailing, fares, now: NOW_MINUTE * 60_000, left: pick([null, below(5000)]) };
    const code = parseTripCardCode(text);
    if (code === null) throw new Error('The code can be read.');
    const onDevice = decideFare({ ...shared, card: readCodeCard(code, pack) });
    const onServer = decideFare({ ...shared, card: presentFareCard({ card: row, validUntilMinute }, 'en') });
    expect(onDevice).toEqual(onServer);
    const outcome = onServer.answer === 'stop' ? onServer.reason : 'take';
    reasons.set(outcome, (reasons.get(outcome) ?? 0) + 1);
  }
  expect([...reasons.keys()].toSorted()).toEqual([
    ...['card_blocked', 'code_expired', 'departed', 'limit_reached', 'needs_adult', 'no_fare', 'not_enough'],
    ...['other_line', 'other_travelers', 'sailing_canceled', 'take'],
  ]);
});
