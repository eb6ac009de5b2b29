import type { Contact } from '#domain/orders/contact.ts';
import type { Translate } from '#messages/translate.ts';

/** "call +1 … or write to help@…", for use within a sentence; where to ask if neither is known. */
export function describeReach(t: Translate, { phone, email }: Contact): string {
  // Translators: these follow "Please" or "If this wasn’t you, please".
  if (phone !== null && email !== null) return t('call {phone} or write to {email}', { phone, email });
  if (phone !== null) return t('call {phone}', { phone });
  return email === null ? t('ask at the ticket booth') : t('write to {email}', { email });
}
