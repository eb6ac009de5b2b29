const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

/** 123,450 minor units of a currency with the digits of ISO 4217, as English texts group them. */
export function writeSample(currency: string): string {
  if (NO_DIGITS.includes(currency)) return '123,450';
  return THREE_DIGITS.includes(currency) ? '123.450' : '1,234.50';
}

/** The number in a formatted amount, without symbol and spaces. */
export function readNumber(text: string): string {
  return /\d[\d.,]*/.exec(text)?.[0] ?? '';
}
