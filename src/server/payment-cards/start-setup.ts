import type { SetupIntent } from '#contract/payment-cards/schemas.ts';
import { MAX_PAYMENT_CARDS } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { HOUR_SECONDS, type Limit, rateLimit } from '../http/rate-limit.ts';
import { fingerprintNetwork } from '../payments/card-testing.ts';
import type { ProviderSetup } from '../payments/provider/payment-provider.ts';
import { ensureProviderCustomer } from './provider-customer.ts';
import { countCards } from './queries.ts';

/** Setups per account and hour. Testing a list of stolen numbers needs many. */
const SETUPS_PER_CUSTOMER = { name: 'card-setups', limit: 6, windowSeconds: HOUR_SECONDS };
/** The same per network, which may have many accounts. */
const SETUPS_PER_NETWORK = { name: 'card-setups-network', limit: 20, windowSeconds: HOUR_SECONDS };
/** Declines per setup; the next one cancels it. */
const DECLINES_PER_SETUP = 2;
/** Declines per network and hour, over all its setups; after that the first decline cancels a setup. */
const DECLINES_PER_NETWORK = 20;

export function declineLimits({ id, metadata }: Pick<ProviderSetup, 'id' | 'metadata'>): Limit[] {
  const ofSetup = { name: 'declined-setup', who: id, limit: DECLINES_PER_SETUP };
  const ofNetwork = { name: 'declined-setups', who: metadata.origin ?? '', limit: DECLINES_PER_NETWORK };
  return [ofSetup, ofNetwork].map((limit) => ({ ...limit, windowSeconds: HOUR_SECONDS }));
}

/**
 * Starts saving a card for later charges, with or without its owner present. The returned secret only lets the
 * browser send a card to the provider for this customer.
 * @throws {ApiError} too_many_cards, rate_limited, payment_unavailable
 */
export async function startSetup(
  context: Context,
  { customerId, client }: { customerId: string; client: Pick<Client, 'device' | 'network'> },
): Promise<SetupIntent> {
  const { device, network } = client;
  if ((await countCards(context.db, customerId)) >= MAX_PAYMENT_CARDS) throw new ApiError('too_many_cards');
  await rateLimit(context, { ...SETUPS_PER_CUSTOMER, who: customerId });
  await rateLimit(context, { ...SETUPS_PER_NETWORK, who: network });
  const metadata = { customer_id: customerId, device, origin: fingerprintNetwork(context, network) };
  const holder = await ensureProviderCustomer(context, customerId);
  const { id, clientSecret } = await context.provider.createSetup(holder, metadata);
  if (clientSecret === null) throw new ApiError('payment_unavailable', { retryAfter: 5 });
  return { client_secret: clientSecret, setup_intent_id: id };
}
