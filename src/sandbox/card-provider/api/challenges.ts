import type { Stored } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

type NextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { return_url: string | null; url: string } }
  | {
      type: 'use_stripe_sdk';
      use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string; source: string };
    };

/**
 * Opens a page of the simulated bank for the cardholder. It stays valid as long as the intent waits for it; a newer
 * attempt replaces it.
 */
export function openChallenge(
  unit: UnitOfWork,
  origin: string,
  intent: Stored<'payment_intent'> | Stored<'setup_intent'>,
): NextAction {
  const id = unit.id('tds_');
  unit.create('challenge', {
    id,
    object: 'challenge',
    created: unit.seconds,
    intent: intent.id,
    state: 'open',
  });
  intent.secret.challenge = id;
  const url = `${origin}/3ds/${id}`;
  const { confirmation } = intent.secret;
  if (confirmation?.returnUrl && !confirmation.usesScript) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: confirmation.returnUrl, url } };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: id },
  };
}
