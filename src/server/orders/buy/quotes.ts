import type { PriceChangedDetails, Quote, QuoteRequest } from '#contract/orders/buy/schemas.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import type { Context } from '#server/context.ts';
import { ApiError } from '#server/http/api-error.ts';
import { normalizeRequest, presentQuote, priceRequest, type Sale } from './pricing.ts';

const QUOTE_MINUTES = 15;
const PURPOSE = 'quote';

/** The content of a quote's id, which is signed: the server stores no quotes. `language`: of its texts. */
export type SignedQuote = {
  request: QuoteRequest;
  fingerprint: string;
  expiresAt: number;
  language: string;
  /** Absent: online. */
  salePoint?: SalePoint;
};

/**
 * Quotes a request. The quote is valid for 15 minutes.
 * @param language of the texts
 * @param salePoint where it may be bought; only staff get quotes for the ramp
 * @throws {ApiError} the code of the rule that refuses it
 */
export async function createQuote(
  context: Pick<Context, 'db' | 'clock' | 'vault'>,
  request: QuoteRequest,
  language: string,
  salePoint: SalePoint = 'online',
): Promise<Quote> {
  const sale = await priceRequest(context, normalizeRequest(request), salePoint);
  return quoteFor(context, sale, { language, salePoint });
}

function quoteFor(
  context: Pick<Context, 'clock' | 'vault'>,
  sale: Sale,
  { language, salePoint }: { language: string; salePoint: SalePoint },
): Quote {
  const now = context.clock.now();
  const expiresAt = new Date(now.getTime() + QUOTE_MINUTES * 60_000);
  const offer: SignedQuote = {
    request: sale.request,
    fingerprint: sale.fingerprint,
    expiresAt: expiresAt.getTime(),
    language,
    ...(salePoint === 'online' ? {} : { salePoint }),
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
  offer: Pick<SignedQuote, 'request' | 'fingerprint' | 'language' | 'salePoint'>,
): Promise<Sale> {
  const { language, salePoint = 'online' } = offer;
  const sale = await priceRequest(context, offer.request, salePoint);
  if (sale.fingerprint !== offer.fingerprint) {
    throw new ApiError('price_changed', {
      details: { quote: quoteFor(context, sale, { language, salePoint }) } satisfies PriceChangedDetails,
    });
  }
  return sale;
}
