import { invalid } from './errors.ts';
import { type Parameters, readInteger, requireText } from './parameters.ts';

const currencies = new Set(
  `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc
   cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jpy kes kgs
   khr kmf krw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab
   pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah
   ugx usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw`.split(/\s+/),
);

const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

const smallestCharge: Record<string, number> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
};

const largestCharge = 99_999_999;

/** Lower-case ISO code the provider takes; throws the provider's refusal for anything else. */
export function requireCurrency(parameters: Parameters): string {
  const currency = requireText(parameters, 'currency').toLowerCase();
  if (!currencies.has(currency)) {
    const known = [...currencies].join(', ');
    throw invalid(
      `Invalid currency: ${currency.slice(0, 20)}. Stripe currently supports these currencies: ${known}`,
      'currency',
    );
  }
  return currency;
}

/** Minor units, from the smallest charge of the currency to the largest the provider takes. */
export function requireAmount(parameters: Parameters, currency: string): number {
  requireText(parameters, 'amount');
  const amount = readInteger(parameters, 'amount') ?? 0;
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  }
  if (amount > largestCharge) {
    const message = `Amount must be no more than ${formatMoney(largestCharge, currency)}`;
    throw invalid(message, 'amount', 'amount_too_large');
  }
  const smallest = smallestCharge[currency] ?? 1;
  if (amount < smallest) {
    const message = `Amount must be at least ${formatMoney(smallest, currency)}`;
    throw invalid(message, 'amount', 'amount_too_small');
  }
  return amount;
}

/** For people: `€12.30`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = zeroDecimal.has(currency) ? 0 : 2;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}
