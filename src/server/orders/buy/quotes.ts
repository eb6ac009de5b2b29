import type { PriceChangedDetails, Quote, QuoteRequest } from '#contract/orders/buy/schemas.ts';
import type { Context } from '#server/context.ts';
import { ApiError } from '#server/http/api-error.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { normalizeRequest, presentQuote, priceRequest, type Sale } from './pricing.ts';

const QUOTE_MINUTES = 15;
const PURPOSE = 'quote';

/** The content of a quote's id, which is signed: the server stores no quotes. */
export type SignedQuote = { request: QuoteRequest; fingerprint: string; expiresAt: number };

/**
 * Quotes a request. The quote is valid for 15 minutes.
 * @throws {ApiError} the code of the rule that refuses it
 */
export async function createQuote(
  context: Pick<Context, 'db' | 'clock' | 'vault'>,
  request: QuoteRequest,
): Promise<Quote> {
  return quoteFor(context, await priceRequest(context, normalizeRequest(request)));
}

async function quoteFor(context: Pick<Context, 'db' | 'clock' | 'vault'>, sale: Sale): Promise<Quote> {
  const { language } = await loadWebSettings(context);
  const now = context.clock.now();
  const expiresAt = new Date(now.getTime() + QUOTE_MINUTES * 60_000);
  const offer: SignedQuote = {
    request: sale.request,
    fingerprint: sale.fingerprint,
    expiresAt: expiresAt.getTime(),
  };
  const body = Buffer.from(JSON.stringify(offer)).toString('base64url');
  const id = `${body}.${context.vault.sign(PURPOSE, body)}`;
  return presentQuote(sale, { id, expiresAt, language, now });
}

/**
 * Reads the offer from a quote's id.
 * @throws {ApiError} invalid_input if the signature is invalid
 */
export function readQuote(context: Pick<Context, 'vault'>, quoteId: string): SignedQuote {
  const [body = '', signature = '', ...rest] = quoteId.split('.');
  if (rest.length > 0 || !context.vault.verify(PURPOSE, body, signature)) {
    throw new ApiError('invalid_input', { field: 'quote_id' });
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as SignedQuote;
}

/**
 * Prices an offer again.
 * @throws {ApiError} price_changed with `details.quote`, the current offer; or the code of the rule that refuses it
 */
export async function repriceQuote(
  context: Pick<Context, 'db' | 'clock' | 'vault'>,
  offer: Pick<SignedQuote, 'request' | 'fingerprint'>,
): Promise<Sale> {
  const sale = await priceRequest(context, offer.request);
  if (sale.fingerprint !== offer.fingerprint) {
    throw new ApiError('price_changed', {
      details: { quote: await quoteFor(context, sale) } satisfies PriceChangedDetails,
    });
  }
  return sale;
}
