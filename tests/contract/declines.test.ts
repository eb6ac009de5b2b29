import { describe, expect, test } from 'vitest';
import { declineTexts, presentDecline } from '#contract/payments/declines.ts';
import { textsIn } from '#server/core/texts.ts';

const REASONS = [
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'invalid_cvc',
  'incorrect_number',
  'invalid_number',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'incorrect_zip',
  'card_velocity_exceeded',
  'withdrawal_count_limit_exceeded',
  'card_not_supported',
  'currency_not_supported',
  'processing_error',
  'issuer_not_available',
  'try_again_later',
  'reenter_transaction',
  'authentication_required',
  'payment_intent_authentication_failure',
  'setup_intent_authentication_failure',
  'generic_decline',
  'a_reason_we_do_not_know',
] as const;

describe('presentDecline', () => {
  test.for(REASONS)('explains for %s the cause, that nothing was charged and what to try next', (reason) => {
    const sentences = presentDecline(textsIn('en'), reason).message.split(/(?<=\.) /);
    expect(sentences).toHaveLength(3);
    expect(sentences[1]).toBe('You have not been charged.');
    expect(sentences[2]).toMatch(/^(Try|Check)\b/);
  });

  test.for(['lost_card', 'stolen_card', 'fraudulent', 'pickup_card', 'toString'])(
    'shows a plain decline for a card reported as %s',
    (reason) => {
      expect(presentDecline(textsIn('en'), reason)).toEqual({
        code: 'card_declined',
        message: declineTexts.card_declined,
      });
    },
  );
});
