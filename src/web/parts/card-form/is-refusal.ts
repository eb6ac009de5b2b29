/** Whether a card was refused for good by the bank or the form: nothing was charged, and another may be tried. */
export function isRefusal({ type, code }: { type: string; code?: string }): boolean {
  const isCard = type === 'card_error' || type === 'validation_error';
  return isCard || (code?.endsWith('_intent_authentication_failure') ?? false);
}
