/**
 * Currencies the card provider charges cards in, and how it counts them. Shared by the product and the provider's
 * stand-in.
 *
 * Source: https://docs.stripe.com/currencies: presentment currencies, zero-decimal and three-decimal currencies,
 * special cases, minimum and maximum charge amounts.
 */
export type CardCurrency = {
  /** Decimal digits of an amount at the provider: with two, 500 is 5.00. May differ from ISO 4217. */
  digits: 0 | 2 | 3;
  /** Every amount is a multiple of this, in the provider's units. */
  step: 1 | 10 | 100;
  /** Smallest charge, in the provider's units. */
  smallest: number;
};

/** Largest charge, in the provider's units of any currency: eight digits. */
export const LARGEST_CHARGE = 99_999_999;

/** Amounts have no decimals: 500 is 500 yen. */
const ZERO_DECIMAL = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** Only whole units can be charged, but amounts have two decimals: 500 is 5 krónur. */
const WHOLE_UNITS = 'ISK UGX';
/** The last of three decimals is always 0: 5.120 dinars can be charged, 5.124 cannot. */
const THREE_DECIMAL = 'BHD JOD KWD OMR TND';

/** Smallest charges as the provider's documentation lists them, in units of the currency. */
const LISTED_MINIMUMS: readonly (readonly [amount: number, currencies: string])[] = [
  [0.3, 'GBP'],
  [0.5, 'ARS AUD BRL CAD CHF COP EUR IDR ILS INR NZD PHP RUB SGD USD ZAR'],
  [1, 'BGN'],
  [2, 'AED MYR PLN RON'],
  [2.5, 'DKK'],
  [3, 'NOK SEK'],
  [4, 'HKD'],
  [10, 'MXN THB'],
  [15, 'CZK'],
  [50, 'JPY KRW'],
  [175, 'HUF'],
];

/**
 * In other currencies a charge must be worth the smallest charge of the settlement currency at the current rate. Half a
 * US dollar, rounded up generously so that a moving rate does not make a quoted price unpayable.
 */
const CONVERTED_MINIMUMS: readonly (readonly [amount: number, currencies: string])[] = [
  [0.2, 'KWD'],
  [0.5, 'BHD FKP GIP JOD KYD OMR SHP'],
  [1, 'ANG AWG AZN BAM BMD BND BSD PAB'],
  [2, 'BBD BYN BZD FJD GEL PEN QAR TND TOP WST XCD'],
  [5, 'BOB CNY GTQ MOP PGK SAR SBD TTD'],
  [10, 'BWP LSL MAD MDL MVR NAD SCR SZL TJS'],
  [20, 'HNL SLE TWD ZMW'],
  [50, 'AFN DOP EGP GMD KGS MKD MUR MZN NIO SRD TRY UAH UYU'],
  [100, 'ALL BDT CVE DJF DZD ETB HTG ISK JMD KES LRD NPR RSD VUV XPF'],
  [200, 'GYD LKR PKR YER'],
  [500, 'AMD CRC KMF KZT SOS XAF XOF'],
  [1000, 'AOA CLP MWK NGN RWF'],
  [2000, 'BIF CDF MMK MNT TZS UGX'],
  [5000, 'GNF KHR MGA PYG'],
  [10_000, 'UZS'],
  [20_000, 'LAK STD VND'],
  [50_000, 'LBP'],
];

const TABLE: ReadonlyMap<string, CardCurrency> = buildTable();

/** Upper-case ISO codes of all currencies the provider charges in. */
export const cardCurrencyCodes: readonly string[] = [...TABLE.keys()].sort();

/**
 * Looks up how the provider counts a currency.
 * @param code ISO 4217, upper case
 * @returns undefined for a currency it does not charge in, such as IQD and LYD
 */
export function findCardCurrency(code: string): CardCurrency | undefined {
  return TABLE.get(code);
}

function buildTable(): Map<string, CardCurrency> {
  const table = new Map<string, CardCurrency>();
  for (const [minimum, currencies] of [...LISTED_MINIMUMS, ...CONVERTED_MINIMUMS]) {
    for (const code of currencies.split(' ')) table.set(code, describeCurrency(code, minimum));
  }
  return table;
}

function describeCurrency(code: string, minimum: number): CardCurrency {
  const digits = ZERO_DECIMAL.includes(code) ? 0 : THREE_DECIMAL.includes(code) ? 3 : 2;
  const step = WHOLE_UNITS.includes(code) ? 100 : digits === 3 ? 10 : 1;
  return { digits, step, smallest: Math.round(minimum * 10 ** digits) };
}
