import { describe, expect, test } from 'vitest';
import { calls } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { clerkTexts } from '#sentences/errors/clerk-errors.ts';
import { type ErrorReason, errorReasons, presentReason } from '#sentences/errors/error-reasons.ts';
import { textsIn } from '#server/core/texts.ts';
import { ApiError } from '#server/http/api-error.ts';

/** Speaks to the customer, or sends them where the clerk already is. */
const TO_CUSTOMERS =
  /\b(you|your|yours|yourself)\b|\b(call|ask|email) us\b|ticket booth|top it up|buy it again/i;

/** What calls of staff never answer: buyers, account owners and gates' own people read it. */
const NOT_FOR_CLERKS: readonly ErrorReason[] = [
  ...(['same_email', 'assistance_by_phone', 'too_many_unpaid_places', 'other_sign_in_first'] as const),
  ...(['value_on_trip_cards', 'card_refused', 'top_up_paid', 'top_up_processing', 'not_the_buyer'] as const),
  ...(['no_valid_tickets', 'no_open_ticket', 'pass_other_party', 'no_email_address'] as const),
];

const t = textsIn('en');
const params = {
  ...{ remedy: 'ask', until_minutes: 30, who: 'Ada', decline: 'expired_card', free: 3, free_cm: 300 },
} as never;
const staffCalls = calls.filter((call) => call.auth === 'staff' && call.permission !== 'own_session');
const others = calls.filter(({ auth }) => auth !== 'staff');
/** A code that only staff get speaks to them, and so does the one that asks for their passkey. */
const isSpokenToCustomers = (code: ErrorCode) =>
  code !== 'step_up_required' && others.some(({ errors = [] }) => errors.includes(code));

describe('the texts of refusals that staff read', () => {
  test.each(staffCalls.map(({ name, errors = [] }) => [name, errors] as const))(
    'of %s do not speak to the customer',
    (_, errors: readonly ErrorCode[]) => {
      const texts = errors
        .filter(isSpokenToCustomers)
        .flatMap((code) => new ApiError(code).present(t, 'clerk'));
      expect(texts.map(({ message }) => message).filter((text) => TO_CUSTOMERS.test(text))).toEqual([]);
    },
  );

  test('with a reason do not either', () => {
    const reasons = (Object.keys(errorReasons) as ErrorReason[]).filter(
      (reason) => !NOT_FOR_CLERKS.includes(reason) && !STAFF_ONLY.includes(reason),
    );
    const wrong = reasons.filter((reason) =>
      TO_CUSTOMERS.test(presentReason(t, { reason, params } as never, clerkTexts).message),
    );
    expect(wrong).toEqual([]);
  });

  test('stay those of the customer where the customer reads them', () => {
    const error = new ApiError('change_not_allowed', { reason: 'change_disputed' });
    expect(error.present(t)[0]?.message).toMatch(/^Your bank is deciding/);
    expect(error.present(t, 'clerk')[0]?.message).toMatch(/^The bank is deciding/);
  });
});

/** These address the person of the staff. */
const STAFF_ONLY: readonly ErrorReason[] = ['own_refund_request', 'adjustment_too_large'];
