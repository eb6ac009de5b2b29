import type { Context } from '../context.ts';
import { dropMethods, isSaved, saveCard } from './save-card.ts';

/** Stands for the device a card was entered on, where it was not recorded. */
export const UNKNOWN_DEVICE = 'Unknown device';

/**
 * Saves a payment method as the provider has it now, if it belongs to a customer.
 * @param only `agreed`: unless the person who entered the card agreed to saving it, it is detached
 * @throws {ApiError} payment_unavailable
 */
export async function syncPaymentMethod(
  context: Context,
  reference: string,
  { device = UNKNOWN_DEVICE, only }: { device?: string | undefined; only?: string | undefined } = {},
): Promise<void> {
  const card = await context.provider.findCard(reference);
  if (card && (only === undefined || card.isSavingAgreed)) {
    await saveCard(context, { card, device });
    return;
  }
  if (!card || (await isSaved(context.db, reference))) return;
  await dropMethods(context.db, [reference], context.clock.now());
  context.jobs.trigger('sync-payment-cards');
}
