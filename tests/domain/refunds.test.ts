import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { calculateRefund, type TicketToRefund } from '#domain/refunds/calculate-refund.ts';
import { type BoughtLine, getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { FULL_REFUND, findRefundTerms, type RefundTerms } from '#domain/refunds/refund-tiers.ts';
import { splitRefund } from '#domain/refunds/split-refund.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { describePolicy } from '#sentences/fare-policy.ts';
import { textsIn } from '#server/core/texts.ts';
import { toProviderMoney } from '#server/payments/provider/provider-amounts.ts';

const MINUTE = 60_000;
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const anyCurrency = fc.constantFrom(...cardCurrencyCodes, 'USD', 'ISK', 'UGX', 'MGA', 'KWD', 'JPY');
/** Amounts as the import accepts them: multiples of what a card can be charged. */
const chargeable = (currency: string, max = 5000) =>
  fc.nat(max).map((amount) => amount * getChargeRules(currency).step);
const anyTerms = (currency: string): fc.Arbitrary<RefundTerms | null> =>
  fc.option(
    fc.record({
      refundBp: fc.integer({ min: 1, max: 100 }).map((percent) => percent * 100),
      fee: chargeable(currency),
      feePer: fc.constantFrom('order' as const, 'ticket' as const),
    }),
  );
const anyTickets = (currency: string): fc.Arbitrary<TicketToRefund[]> =>
  fc
    .array(fc.record({ paid: chargeable(currency), terms: anyTerms(currency) }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((tickets) => tickets.map((ticket, index) => ({ id: `tkt_${index}`, ...ticket })));
const anyRefund = anyCurrency.chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    tickets: anyTickets(currency),
    feesKept: chargeable(currency),
    available: chargeable(currency, 20_000),
  }),
);

describe('getPaidAmounts', () => {
  const line = (changes: Partial<BoughtLine>): BoughtLine => {
    const made = {
      id: 'adult',
      leg: 'out',
      kind: 'passenger' as const,
      quantity: 1,
      unitAmount: 0,
      taxBp: 0,
      taxParts: null,
    };
    const { quantity, unitAmount } = { ...made, ...changes };
    return { ...made, ...changes, amount: quantity * unitAmount };
  };

  test('splits a discount over the tickets of its leg and tax rate, to the cent', () => {
    const paid = getPaidAmounts(
      [
        line({ id: 'adults', quantity: 3, unitAmount: 1000 }),
        line({ id: 'infant', quantity: 1, unitAmount: 0 }),
        line({ id: 'car', kind: 'vehicle', unitAmount: 5000, taxBp: 1000 }),
        line({ id: 'back', leg: 'back', quantity: 1, unitAmount: 1000 }),
        line({ id: 'promo', kind: 'discount', unitAmount: -1000 }),
      ],
      'USD',
    );
    expect(Object.fromEntries(paid)).toEqual({
      adults: [666, 667, 667],
      infant: [0],
      car: [5000],
      back: [1000],
    });
  });

  const anyLines = anyCurrency.chain((currency) =>
    fc
      .array(
        fc.record({
          leg: fc.constantFrom('out', 'back'),
          taxBp: fc.constantFrom(0, 1000),
          quantity: fc.integer({ min: 1, max: 5 }),
          unitAmount: chargeable(currency),
        }),
        { minLength: 1, maxLength: 8 },
      )
      .chain((fares) => {
        const lines = fares.map((fare, index) => line({ id: `oln_${index}`, ...fare }));
        const groups = Map.groupBy(lines, ({ leg, taxBp }) => `${leg} ${taxBp}`);
        const { step } = getChargeRules(currency);
        const discounts = [...groups.values()].map((group) =>
          fc.nat(sum(group.map(({ amount }) => amount)) / step).map((steps) =>
            line({
              id: 'discount',
              kind: 'discount',
              leg: group[0]?.leg ?? '',
              taxBp: group[0]?.taxBp ?? 0,
              unitAmount: -steps * step,
            }),
          ),
        );
        return fc.tuple(...discounts).map((added) => ({ currency, lines: [...lines, ...added] }));
      }),
  );

  test('gives each ticket a part of what was paid, and all of it together', () => {
    void fc.assert(
      fc.property(anyLines, ({ currency, lines }) => {
        const paid = getPaidAmounts(lines, currency);
        const { step } = getChargeRules(currency);
        expect(sum([...paid.values()].flat())).toBe(sum(lines.map(({ amount }) => amount)));
        for (const { id, kind, quantity, unitAmount } of lines) {
          if (kind === 'discount') continue;
          const amounts = paid.get(id) ?? [];
          expect(amounts).toHaveLength(quantity);
          expect(amounts.every((each) => each >= 0 && each <= unitAmount && each % step === 0)).toBe(true);
        }
      }),
    );
  });
});

describe('calculateRefund', () => {
  const dollars = { currency: 'USD', available: 1_000_000 };

  test('gives back a share of each ticket and deducts a fee per order once', () => {
    const terms: RefundTerms = { refundBp: 8000, fee: 500, feePer: 'order' };
    const tickets = [
      { id: 'a', paid: 1000, terms },
      { id: 'b', paid: 500, terms },
      { id: 'c', paid: 0, terms },
    ];
    expect(calculateRefund(tickets, { ...dollars, feesKept: 0 })).toEqual({
      tickets: [
        { id: 'a', paid: 1000, fee: 333, refund: 467 },
        { id: 'b', paid: 500, fee: 167, refund: 233 },
        { id: 'c', paid: 0, fee: 0, refund: 0 },
      ],
      ...{ paid: 1500, fee: 500, refund: 700 },
    });
    expect(calculateRefund(tickets, { ...dollars, feesKept: 500 })).toMatchObject({
      fee: 0,
      refund: 1200,
    });
    expect(calculateRefund(tickets, { ...dollars, feesKept: 400 })).toMatchObject({
      fee: 100,
      refund: 1100,
    });
  });

  test('deducts a fee per ticket from each, down to nothing', () => {
    const terms: RefundTerms = { refundBp: 10_000, fee: 600, feePer: 'ticket' };
    const tickets = [1000, 500, 0].map((paid) => ({ id: `${paid}`, paid, terms }));
    expect(calculateRefund(tickets, { ...dollars, feesKept: 0 }).tickets).toEqual([
      { id: '1000', paid: 1000, fee: 600, refund: 400 },
      { id: '500', paid: 500, fee: 500, refund: 0 },
      { id: '0', paid: 0, fee: 0, refund: 0 },
    ]);
  });

  test('never gives back more than was paid for a ticket, and only what a card can be refunded', () => {
    void fc.assert(
      fc.property(anyRefund, ({ currency, tickets, feesKept, available }) => {
        const { step } = getChargeRules(currency);
        const refund = calculateRefund(tickets, { currency, feesKept, available });
        for (const [index, each] of refund.tickets.entries()) {
          expect(each.refund).toBeGreaterThanOrEqual(0);
          expect(each.fee).toBeGreaterThanOrEqual(0);
          expect(each.refund + each.fee).toBeLessThanOrEqual(each.paid);
          expect(each.refund % step).toBe(0);
          if (tickets[index]?.terms === null) expect(each.refund + each.fee).toBe(0);
        }
        expect(refund.refund).toBeLessThanOrEqual(available);
        expect(refund.refund).toBe(sum(refund.tickets.map((each) => each.refund)));
        expect(refund.fee).toBe(sum(refund.tickets.map((each) => each.fee)));
      }),
    );
  });

  test('gives back everything if the operator is the cause', () => {
    void fc.assert(
      fc.property(anyRefund, ({ currency, tickets, feesKept }) => {
        const all = tickets.map((ticket) => ({ ...ticket, terms: FULL_REFUND }));
        const { paid, fee, refund } = calculateRefund(all, { currency, feesKept, available: Infinity });
        expect([fee, refund]).toEqual([0, paid]);
      }),
    );
  });

  test('keeps the same fee per order whether tickets are canceled together or one by one', () => {
    const anyFee = fc.record({
      paid: fc.array(fc.nat(5000), { minLength: 1, maxLength: 8 }),
      fee: fc.nat(9000),
    });
    void fc.assert(
      fc.property(anyFee, ({ paid, fee }) => {
        const terms: RefundTerms = { refundBp: 7500, fee, feePer: 'order' };
        const tickets = paid.map((amount, index) => ({ id: `${index}`, paid: amount, terms }));
        const together = calculateRefund(tickets, { ...dollars, feesKept: 0 });
        let feesKept = 0;
        let refund = 0;
        for (const ticket of tickets) {
          const part = calculateRefund([ticket], { ...dollars, feesKept });
          feesKept += part.fee;
          refund += part.refund;
        }
        expect([feesKept, refund]).toEqual([together.fee, together.refund]);
      }),
    );
  });
});

describe('splitRefund', () => {
  const anySplit = anyCurrency.chain((currency) =>
    fc.record({
      currency: fc.constant(currency),
      refunds: fc.array(chargeable(currency), { minLength: 1, maxLength: 6 }),
      lefts: fc.array(chargeable(currency), { minLength: 1, maxLength: 4 }),
    }),
  );

  test('returns a mixed payment in the proportion paid', () => {
    const payments = [
      { id: 'card', left: 1550 },
      { id: 'trip card', left: 1000 },
    ];
    expect(splitRefund(1275, payments, 'USD')).toEqual([
      { id: 'card', amount: 775 },
      { id: 'trip card', amount: 500 },
    ]);
  });

  test('gives back exactly the refund, in parts the provider accepts, and never more than is left', () => {
    void fc.assert(
      fc.property(anySplit, ({ currency, refunds, lefts }) => {
        let payments = lefts.map((left, index) => ({ id: `pay_${index}`, left }));
        for (const refund of refunds) {
          const available = sum(payments.map(({ left }) => left));
          const parts = splitRefund(refund, payments, currency);
          expect(sum(parts.map(({ amount }) => amount))).toBe(Math.min(refund, available));
          for (const { amount } of parts) expect(() => toProviderMoney({ amount, currency })).not.toThrow();
          payments = payments.map(({ id, left }) => ({
            id,
            left: left - (parts.find((part) => part.id === id)?.amount ?? 0),
          }));
          expect(payments.every(({ left }) => left >= 0)).toBe(true);
        }
      }),
    );
  });
});

describe('the sentences of a fare', () => {
  const policyOf = (cancel: FarePolicy['cancel']): FarePolicy => ({
    change: { allowed: false, fee: 0, until_minutes: 0 },
    cancel,
    no_show: 'forfeit',
  });
  const anyPolicy = fc
    .array(
      fc.record({
        until_minutes_before: fc.integer({ min: 0, max: 20_000 }),
        refund_bp: fc.integer({ min: 0, max: 100 }).map((percent) => percent * 100),
        fee: fc.nat(2000),
        fee_per: fc.constantFrom('order' as const, 'ticket' as const),
      }),
      { maxLength: 4 },
    )
    .map(policyOf);

  /** The terms that the first sentence promises. */
  function readTerms(sentence: string): RefundTerms | null {
    const match = /^(?:Full|(\d+)%) refund(?:, less \$(\d+)\.(\d\d)( per ticket)?,)? (?:until|for)/.exec(
      sentence,
    );
    if (!match) return null;
    const [, percent = '100', units = '0', cents = '00', perTicket] = match;
    const fee = Number(units) * 100 + Number(cents);
    return { refundBp: Number(percent) * 100, fee, feePer: perTicket ? 'ticket' : 'order' };
  }

  test('promise what is given back, at any time', () => {
    const departsAt = Date.parse('2026-06-06T22:20:00Z');
    const zone = 'America/Los_Angeles';
    void fc.assert(
      fc.property(anyPolicy, fc.integer({ min: -60, max: 21_000 }), (policy, minutesBefore) => {
        const now = departsAt - minutesBefore * MINUTE;
        const [first = ''] = describePolicy(
          textsIn('en'),
          policy,
          { currency: 'USD', language: 'en-US' },
          [{ departsAt, zone }],
          now,
        );
        const terms = findRefundTerms(policy.cancel, departsAt, now);
        const promised = readTerms(first);
        expect(promised && { ...promised, feePer: promised.fee === 0 ? 'any' : promised.feePer }).toEqual(
          terms && { ...terms, feePer: terms.fee === 0 ? 'any' : terms.feePer },
        );
      }),
    );
  });

  test.each([
    ['when clocks go forward', '2026-03-29T08:30:00Z', 'Sat, Mar 28, 9:30 AM CET'],
    ['when clocks go back', '2026-10-25T08:30:00Z', 'Sat, Oct 24, 10:30 AM CEST'],
  ])('name the minute until which it is given back on the night %s', (_, departs, shown) => {
    const departsAt = Date.parse(departs);
    const policy = policyOf([{ until_minutes_before: 1440, refund_bp: 10_000, fee: 0 }]);
    const deadline = departsAt - 1440 * MINUTE;
    const describeAt = (now: number) =>
      describePolicy(
        textsIn('en'),
        policy,
        { currency: 'EUR', language: 'en-US' },
        [{ departsAt, zone: 'Europe/Berlin' }],
        now,
      )[0];
    expect(describeAt(deadline)).toBe(`Full refund until ${shown}.`);
    expect(findRefundTerms(policy.cancel, departsAt, deadline)).toEqual(FULL_REFUND);
    expect(describeAt(deadline + 1)).toBe('No refund: it is less than 24 hours before departure.');
    expect(findRefundTerms(policy.cancel, departsAt, deadline + 1)).toBeNull();
  });

  test('name both deadlines of a return trip, and the return’s alone once the other has passed', () => {
    const policy = policyOf([
      { until_minutes_before: 1440, refund_bp: 8000, fee: 500, fee_per: 'ticket' },
      { until_minutes_before: 0, refund_bp: 5000, fee: 0 },
    ]);
    const zone = 'America/Los_Angeles';
    const [out, back] = ['2026-06-06T22:20:00Z', '2026-06-08T16:00:00Z'].map((at) => ({
      departsAt: Date.parse(at),
      zone,
    }));
    if (!out) throw new Error('There is no departure.');
    const describeAt = (now: string) =>
      describePolicy(
        textsIn('en'),
        policy,
        { currency: 'USD', language: 'en-US' },
        [out, back],
        Date.parse(now),
      ).slice(0, 2);
    expect(describeAt('2026-06-01T12:00:00Z')).toEqual([
      '80% refund, less $5.00 per ticket, until Fri, Jun 5, 3:20 PM PDT (return: Sun, Jun 7, 9:00 AM PDT).',
      '50% refund until departure.',
    ]);
    expect(describeAt('2026-06-06T23:00:00Z')).toEqual([
      '80% refund, less $5.00 per ticket, for the return until Sun, Jun 7, 9:00 AM PDT.',
      '50% refund for the return until departure.',
    ]);
  });
});
