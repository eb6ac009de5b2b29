import type { PrivacyAct } from '#contract/desk/privacy/kinds.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';

const ACTS: Readonly<Record<PrivacyAct, Message>> = {
  guest_exported: message('Exported, without an account'),
  guest_erased: message('Erased, without an account'),
  account_exported: message('Exported, with the account'),
  account_deleted: message('Erased, with the account'),
  old_orders_erased: message('Old orders reduced to figures'),
};

/** What was done with personal data. */
export function namePrivacyAct(act: PrivacyAct): string {
  return t(ACTS[act]);
}
