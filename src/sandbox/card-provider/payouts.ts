import { createPayouts, type PayoutInput } from './api/payouts.ts';
import type { ProviderContext } from './context.ts';
import { readKnobs } from './knobs.ts';
import { beginUnit, Outdated } from './unit-of-work.ts';

/** Sends the balance to the bank account. A concurrent payout wins. */
export async function payOut(provider: ProviderContext, input: PayoutInput): Promise<void> {
  const unit = beginUnit(provider, await readKnobs(provider.store));
  await createPayouts(unit, input);
  try {
    await unit.commit();
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
  }
  provider.triggerDelivery();
}

/** Pays out what is available, once a day. */
export async function payOutDaily(provider: ProviderContext): Promise<void> {
  const seconds = Math.floor(provider.clock().getTime() / 1000);
  const [today] = await provider.store.query(
    `select id from sandbox.objects
     where object = 'payout' and (doc->>'created')::double precision >= $1 limit 1`,
    [seconds - (seconds % 86_400)],
  );
  if (!today) await payOut(provider, { isAtOnce: false });
}
