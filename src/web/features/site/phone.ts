/** By the contract's rule: digits, perhaps with a plus, and what people put between them. */
export function isPhone(text: string): boolean {
  return /^(\+?[0-9]{6,15})?$/.test(removeSeparators(text));
}

/** "+1 206 555 0142": in groups, as it is read out. Other text is unchanged. */
export function formatPhone(text: string): string {
  if (!isPhone(text)) return text;
  const bare = removeSeparators(text);
  if (!bare.startsWith('+')) return grouped(bare);
  const digits = bare.slice(1);
  const code = digits.slice(0, countryCodeLength(digits));
  return `+${code} ${grouped(digits.slice(code.length))}`.trim();
}

function removeSeparators(text: string): string {
  return text.replace(/[\s().-]/g, '');
}

/** Country codes of one and of two digits; all others have three. */
const ONE_DIGIT = /^[17]/;
const TWO_DIGITS = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function countryCodeLength(digits: string): number {
  if (ONE_DIGIT.test(digits)) return 1;
  return TWO_DIGITS.test(digits) ? 2 : 3;
}

/** Threes, and a four at the end rather than a single digit left over. */
function grouped(digits: string): string {
  const groups: string[] = [];
  let rest = digits;
  while (rest.length > 4) {
    groups.push(rest.slice(0, 3));
    rest = rest.slice(3);
  }
  return [...groups, rest].join(' ');
}
