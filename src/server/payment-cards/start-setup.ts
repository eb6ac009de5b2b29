import type Stripe from 'stripe';
import type { SetupIntent } from '#contract/payment-cards/schemas.ts';
import { MAX_PAYMENT_CARDS } from '#contract/payment-cards/schemas.ts';
import { originOf } from '../card-provider/card-testing.ts';
import { askProvider } from '../card-provider/provider.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/client-address.ts';
import { HOUR_SECONDS, type Limit, rateLimit } from '../http/rate-limit.ts';
import { ensureProviderCustomer } from './provider-customer.ts';
import { countCards } from './queries.ts';

/** Setups an account may begin in an hour: a list of stolen numbers needs many. */
const SETUPS_PER_CUSTOMER = 6;
/** The same for a network, whose accounts may be many. */
const SETUPS_PER_NETWORK = 20;
/** Declines a setup takes; the next one calls it off. */
const DECLINES_PER_SETUP = 2;
/** Declines of a network in an hour, over all its setups; from then on the first one calls a setup off. */
const DECLINES_PER_NETWORK = 20;

/** What a declined setup counts against. */
export function declineLimits({ id, metadata }: Pick<Stripe.SetupIntent, 'id' | 'metadata'>): Limit[] {
  const ofSetup = { name: 'declined-setup', who: id, limit: DECLINES_PER_SETUP };
  const ofNetwork = { name: 'declined-setups', who: metadata?.origin ?? '', limit: DECLINES_PER_NETWORK };
  return [ofSetup, ofNetwork].map((limit) => ({ ...limit, windowSeconds: HOUR_SECONDS }));
}

/**
 * Starts saving a card for later use, also when its owner is not there to confirm. What the browser is given lets it
 * send a card to the provider for this customer, and nothing else.
 * @throws {ApiError} too_many_cards, rate_limited, payment_unavailable
 */
export async function startSetup(
  deps: Deps,
  { customerId, device, from }: { customerId: string; device: string; from: string },
): Promise<SetupIntent> {
  if ((await countCards(deps.db, customerId)) >= MAX_PAYMENT_CARDS) throw new ApiError('too_many_cards');
  const network = networkOf(from);
  const windowSeconds = HOUR_SECONDS;
  await rateLimit(deps, { name: 'card-setups', who: customerId, limit: SETUPS_PER_CUSTOMER, windowSeconds });
  await rateLimit(deps, {
    name: 'card-setups-network',
    who: network,
    limit: SETUPS_PER_NETWORK,
    windowSeconds,
  });
  const customer = await ensureProviderCustomer(deps, customerId);
  const intent = await askProvider(deps, () =>
    deps.stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
      metadata: {
        customer_id: customerId,
        device,
        origin: originOf(deps.vault, from),
      },
    }),
  );
  if (intent.client_secret === null) throw new ApiError('payment_unavailable', { retryAfter: 5 });
  return { client_secret: intent.client_secret, setup_intent_id: intent.id };
}
