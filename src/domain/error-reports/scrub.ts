/**
 * Removes personal data and secrets from a text. `personalData` lists the personal data of a page, because names cannot be
 * recognized by their format. Hosts of addresses stay, because a typed word may be a part of ours.
 */
export function scrub(text: string, personalData: readonly string[] = []): string {
  const unnamed = text
    .split(HOST)
    .map((part, index) => (index % 2 === 1 ? part : removePersonalData(part, personalData)))
    .join('');
  return RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), unnamed);
}

/** An address without query and fragment. */
export function scrubAddress(address: string, personalData: readonly string[] = []): string {
  return scrub(address.replace(/[?#].*$/s, ''), personalData);
}

/** Scheme, host and port of an address. */
const HOST = /(https?:\/\/[\w.-]+(?::\d+)?(?![\w.:@-]))/;

function removePersonalData(text: string, personalData: readonly string[]): string {
  return personalData.reduce((result, value) => result.replaceAll(value, '[private]'), text);
}

const RULES: readonly [RegExp, string][] = [
  [/[^\s@/<>"'()=&?]+(@|%40)[^\s@/<>"'()=&?]+\.[^\s@/<>"'()=&?.]+/gi, '[email]'],
  [/\bBearer\s+[^\s"']+/gi, 'Bearer [token]'],
  [/([?&#;][\w.%[\]-]{1,60}=)[^&#\s"'<>)]+/g, '$1[private]'],
  [
    /("?\b(?:name|first_?name|last_?name|full_?name|traveler_?names?|email|phone|plate|license_?plate|last_?four|token|code|temp|password|client_?secret)\b"?\s*[:=]\s*)("[^"]*"|'[^']*'|\[[^\]]*\]|[^\s,;&}"']+)/gi,
    '$1[private]',
  ],
  [/(\/shared_tickets\/)[^/?#\s"']+/g, '$1[token]'],
  [/(\/account\/verify\/)[^/?#\s"']+/g, '$1[token]'],
  [/\bgw_[\w-]{8,}/g, '[token]'],
  [/\b(pi|seti|pm|cus|ch|src|tok)_[A-Za-z0-9_]{8,}/g, '[id]'],
  [/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, '[id]'],
  // Long random strings, but not the file names of the build, which locate the error.
  [/(?<!\/assets\/[\w.-]*)\b[A-Za-z0-9_-]{40,}/g, '[token]'],
  [/\b(ending(?: in)?|last four(?: digits)?)(\W{1,3})\d{4}\b/gi, '$1$2[digits]'],
  [/([•*·]{2,}\s?)\d{4}\b/g, '$1[digits]'],
  [/\+?\d[\d ().-]{6,}\d/g, '[number]'],
  // Licence plates and order references.
  [/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/g, '[code]'],
  [/\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,8}\b/g, '[code]'],
  [/\b([A-Z]{1,3}[ -]\d{2,4}[A-Z]{0,3}|\d{1,4}[ -][A-Z]{2,3}(?:[ -]?\d{1,3})?)\b/g, '[code]'],
];
