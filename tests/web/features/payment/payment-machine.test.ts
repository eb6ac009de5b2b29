// @vitest-environment node
import { describe, expect, test } from 'vitest';
import {
  isPaying,
  type PaymentAnswer,
  type PaymentEvent,
  type PaymentState,
  type ProviderForm,
  paymentStep,
  READY,
  SENT,
} from '#web/features/payment/payment-machine.ts';

type State = PaymentState<string, string>;
type Event = PaymentEvent<string, string>;

const EXPIRED = 'It has expired.';
const form = buildForm();
const otherForm = buildForm();
const input = 'visa';
const ready = (problem: string | null): State => ({ name: 'ready', problem });
const submitting: State = { name: 'submitting', input, form };
const preparing: State = { name: 'preparing', input, form };
const confirming: State = { name: 'confirming', form };
const charging: State = { name: 'confirming', form: null };
const dead: State = { name: 'dead', form };
const unknown: State = { name: 'unknown', form, isLikelyPaid: false };
const bank = (isOpen: boolean): State => ({ name: 'bank', clientSecret: 'pi_1', isOpen });
const paid: State = { name: 'paid', result: 'receipt' };

const answered = (answer: PaymentAnswer<string>): Event => ({ type: 'answered', answer });
const press: Event = { type: 'pay-by-form', input, form };
const charge: Event = { type: 'charge', input };
const declined = answered({ kind: 'refused', text: 'Declined.' });
const over = answered({ kind: 'over', text: 'Declined.' });
const unanswered = answered({ kind: 'unknown', isLikelyPaid: false });
const likelyPaid = answered({ kind: 'unknown', isLikelyPaid: true });
const asksBank = answered({ kind: 'bank', clientSecret: 'pi_1' });
const isPaid = answered({ kind: 'paid', result: 'receipt' });

describe('paymentStep', () => {
  test.each<[string, State, Event, State, string[]]>([
    // A payment with the provider's form.
    ['a press checks the form', ready('Declined.'), press, submitting, ['submit']],
    [
      'an incomplete form is not sent',
      submitting,
      { type: 'submitted', problem: 'Incomplete.' },
      ready('Incomplete.'),
      ['fail-form'],
    ],
    [
      'a complete form is prepared at the server',
      submitting,
      { type: 'submitted', problem: null },
      preparing,
      ['prepare'],
    ],
    [
      'a payment that cannot be prepared shows its problem, and nothing is sent',
      preparing,
      { type: 'not-prepared', problem: 'Too many cards.' },
      ready('Too many cards.'),
      ['fail-form'],
    ],
    [
      'a prepared payment is marked as sent before it is confirmed',
      preparing,
      { type: 'prepared', isSame: true },
      confirming,
      ['mark-sent', 'confirm'],
    ],
    [
      'a payment that the server has replaced is dropped',
      preparing,
      { type: 'prepared', isSame: false },
      ready(EXPIRED),
      ['fail-form', 'end'],
    ],
    [
      'a decline leaves the same payment open for another card',
      confirming,
      declined,
      ready('Declined.'),
      ['fail-form', 'mark-unsent'],
    ],
    ['a lost response leaves the outcome unknown', confirming, unanswered, unknown, []],
    [
      'the status reported by the provider is stored',
      confirming,
      likelyPaid,
      { name: 'unknown', form, isLikelyPaid: true },
      [],
    ],
    // A payment that ended in another tab.
    [
      'the status of a payment that the provider no longer accepts is fetched',
      confirming,
      answered({ kind: 'dead' }),
      dead,
      ['fetch-status'],
    ],
    [
      'a payment that ended unpaid is dropped',
      dead,
      { type: 'status', status: 'failed' },
      ready(EXPIRED),
      ['fail-form', 'end'],
    ],
    [
      'a payment that was paid elsewhere is checked',
      dead,
      { type: 'status', status: 'paid' },
      { name: 'unknown', form, isLikelyPaid: true },
      [],
    ],
    [
      'a payment that may have been paid elsewhere is checked',
      dead,
      { type: 'status', status: 'unknown' },
      unknown,
      [],
    ],
    ['a payment sent from another tab is checked', READY, { type: 'sent-elsewhere' }, SENT, []],
    // A charge without a form.
    ['a charge is marked as sent before it is requested', READY, charge, charging, ['mark-sent', 'charge']],
    ['a refused charge can be repeated', charging, declined, ready('Declined.'), ['mark-unsent']],
    ['a refused charge that is over is dropped', charging, over, ready('Declined.'), ['end']],
    ['a charge that is paid is finished', charging, isPaid, paid, ['finish']],
    ['a lost response to a charge leaves the outcome unknown', charging, unanswered, SENT, []],
    // The authentication at the bank.
    ['the bank’s page opens right after a press', charging, asksBank, bank(true), ['open-bank']],
    ['the bank’s page waits for a press after a reload', SENT, asksBank, bank(false), []],
    ['a press opens the bank’s page', bank(false), { type: 'open-bank' }, bank(true), ['open-bank']],
    ['a second press does not open it again', bank(true), { type: 'open-bank' }, bank(true), []],
    ['the outcome at the bank is checked', bank(true), likelyPaid, { ...SENT, isLikelyPaid: true }, []],
    ['a failed authentication charges nothing', bank(true), declined, ready('Declined.'), ['mark-unsent']],
    ['the bank that is asked again changes nothing', bank(false), asksBank, bank(false), []],
    ['a check without an answer keeps the choice of the bank', bank(false), unanswered, bank(false), []],
    ['a check finds that the bank was answered elsewhere', bank(false), isPaid, paid, ['finish']],
    [
      'a check finds the bank’s refusal',
      bank(false),
      declined,
      ready('Declined.'),
      ['mark-unsent', 'refresh'],
    ],
    ['a payment at the bank can be canceled', bank(false), { type: 'give-up' }, READY, ['end']],
    // The check of an unknown outcome.
    ['a check without an outcome changes nothing', unknown, unanswered, unknown, []],
    [
      'a check keeps the status `paid` reported by the provider',
      { ...SENT, isLikelyPaid: true },
      unanswered,
      { ...SENT, isLikelyPaid: true },
      [],
    ],
    ['a check finds the payment paid', unknown, isPaid, paid, ['finish']],
    [
      'a check finds that nothing was charged',
      unknown,
      declined,
      ready('Declined.'),
      ['mark-unsent', 'refresh'],
    ],
    ['a check finds that the payment is over', unknown, over, ready('Declined.'), ['end']],
    ['a payment with an unknown outcome cannot be canceled', unknown, { type: 'give-up' }, unknown, []],
    ['another payment can follow a payment', paid, { type: 'start-over' }, READY, []],
    ['an open form can be canceled', ready('Declined.'), { type: 'give-up' }, READY, ['end']],
    ['a form can report a problem', READY, { type: 'problem', problem: 'Loading.' }, ready('Loading.'), []],
  ])('%s', (_, state, event, next, effects) => {
    const [reached, ...todo] = paymentStep(state, event, EXPIRED);
    expect(reached).toEqual(next);
    expect(todo.map((effect) => effect.do)).toEqual(effects);
  });

  const underWay = [
    submitting,
    preparing,
    confirming,
    charging,
    dead,
    bank(true),
    bank(false),
    unknown,
    paid,
  ];

  test.each(underWay)('a press in the state %o sends no other payment', (state) => {
    expect(paymentStep(state, charge, EXPIRED)).toEqual([state]);
    expect(paymentStep(state, { ...press, form: otherForm }, EXPIRED)).toEqual([
      state,
      { do: 'fail-form', form: otherForm },
    ]);
    expect(paymentStep(state, { type: 'problem', problem: 'Loading.' }, EXPIRED)).toEqual([state]);
  });

  test.each([READY, submitting, preparing, dead, paid])(
    'late responses are ignored in the state %o',
    (state) => {
      for (const late of [declined, over, isPaid, unanswered, asksBank]) {
        expect(paymentStep(state, late, EXPIRED)).toEqual([state]);
      }
    },
  );

  test('a press is pending until its outcome is known or reported as unknown', () => {
    expect(underWay.filter(isPaying)).toEqual([
      submitting,
      preparing,
      confirming,
      charging,
      dead,
      bank(true),
      bank(false),
    ]);
    expect(isPaying(READY)).toBe(false);
  });
});

function buildForm(): ProviderForm {
  return {
    submit: async () => null,
    adopt: async () => true,
    confirm: async () => ({ kind: 'unknown', isLikelyPaid: false }),
    fetchStatus: async () => 'unknown',
    fail: () => undefined,
  };
}
