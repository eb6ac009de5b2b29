/** `country`: ISO 3166-1 alpha-2. `taxNumber`: as it was typed; may be empty. */
export type Party = { country: string; taxNumber: string };

/** Countries whose VAT numbers are addresses in the Peppol network, with the scheme of the number (EAS code list). */
const SCHEMES: Readonly<Record<string, string>> = {
  ...{
    AD: '9922',
    AL: '9923',
    AT: '9914',
    BA: '9924',
    BE: '9925',
    BG: '9926',
    CH: '9927',
    CY: '9928',
    CZ: '9929',
  },
  ...{
    DE: '9930',
    EE: '9931',
    ES: '9920',
    FI: '0213',
    FR: '9957',
    GB: '9932',
    GR: '9933',
    HR: '9934',
    HU: '9910',
  },
  ...{
    IE: '9935',
    IT: '0211',
    LI: '9936',
    LT: '9937',
    LU: '9938',
    LV: '9939',
    MC: '9940',
    ME: '9941',
    MK: '9942',
  },
  ...{
    MT: '9943',
    NL: '9944',
    PL: '9945',
    PT: '9946',
    RO: '9947',
    RS: '9948',
    SI: '9949',
    SK: '9950',
    SM: '9951',
  },
};

/** Countries whose sellers have to follow further rules of Peppol BIS Billing 3. */
const NATIONAL_RULES = new Set(['DE', 'DK', 'GR', 'IS', 'IT', 'NL', 'NO', 'SE']);

/** Prefixes of VAT numbers that are not the country's code. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = { GR: ['EL'], GB: ['GB', 'XI'] };

/** Without the spaces and punctuation that people write numbers with. */
export function compactNumber(number: string): string {
  return number.replace(/[\s./-]/g, '').toUpperCase();
}

/** Whether the number is a VAT number of the country, which begins with its prefix. */
export function isVatNumber({ country, taxNumber }: Party): boolean {
  const number = compactNumber(taxNumber);
  const prefixes = PREFIXES[country] ?? [country];
  return /^[A-Z]{2}(?=.*\d)[A-Z\d+*]{2,13}$/.test(number) && prefixes.includes(number.slice(0, 2));
}

/** The address of a party in the Peppol network; null: unknown. */
export function findEndpoint(party: Party): { scheme: string; id: string } | null {
  const scheme = SCHEMES[party.country];
  return scheme === undefined || !isVatNumber(party) ? null : { scheme, id: compactNumber(party.taxNumber) };
}

/** Whether a seller of the country has to follow rules that this product does not know. */
export function hasNationalRules(country: string): boolean {
  return NATIONAL_RULES.has(country);
}
