/** Takes out of a text what identifies a person or opens something of theirs. */
export function scrub(text: string): string {
  return RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

const RULES: readonly [RegExp, string][] = [
  [/[^\s@/<>"'()=&?]+(@|%40)[^\s@/<>"'()=&?]+\.[^\s@/<>"'()=&?.]+/gi, '[email]'],
  [/\bBearer\s+[^\s"']+/gi, 'Bearer [token]'],
  [/\b(token|code|temp|client_secret|payment_intent_client_secret|signature)=[^&#\s"']+/gi, '$1=[token]'],
  [/(\/account\/verify\/)[^/?#\s"']+/g, '$1[token]'],
  [/\b(pi|seti|pm|cus|ch|src|tok)_[A-Za-z0-9_]{8,}/g, '[id]'],
  [/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, '[id]'],
  [/\b[A-Za-z0-9_-]{40,}\b/g, '[token]'],
];
