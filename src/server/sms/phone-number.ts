/**
 * A telephone number as customers enter it (digits, perhaps with + before them) with the code of its country.
 * @param countryCode of numbers without one; null: unknown
 * @returns null if the country is not known
 */
export function toInternationalNumber(phone: string, countryCode: string | null): string | null {
  if (phone.startsWith('+')) return phone;
  if (phone.startsWith('00')) return `+${phone.slice(2)}`;
  // The 0 before numbers is dialed within a country only, except in Italy.
  return countryCode === null
    ? null
    : `+${countryCode}${countryCode === '39' ? phone : phone.replace(/^0/, '')}`;
}
