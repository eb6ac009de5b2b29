import { getCurrencyExponent } from '#domain/fares/money.ts';
import type { Context } from '#server/context.ts';

/** What one person may give back beyond a fare's rules, in minor units. */
export function getRefundLimit({ config }: Pick<Context, 'config'>, currency: string): number {
  return config.refundLimit * 10 ** getCurrencyExponent(currency);
}
