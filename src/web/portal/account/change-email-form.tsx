import { changeEmail } from '#contract/accounts/endpoints.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import type { Customer } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { RESEND_AFTER_MS } from './pending-email.tsx';

/** The draft restores the new address after a reload. */
export const CHANGE_EMAIL_DRAFT = 'change-email';

type ChangeEmailFormProps = {
  customer: Customer;
  /** A link was sent; another can be sent from the given time on. */
  onDone: (resendAt: number) => void;
  onCancel: () => void;
};

export function ChangeEmailForm({ customer, onDone, onCancel }: ChangeEmailFormProps) {
  const form = useForm({
    initial: () => ({ newEmail: findDraft(CHANGE_EMAIL_DRAFT)?.address ?? '' }),
    check: ({ newEmail }) => checkNewEmail(newEmail.trim(), customer.email),
    send: ({ newEmail }) => request(changeEmail, { body: { newEmail: newEmail.trim() } }),
    onDone: (changed) => {
      profileStore.set((profile) => ({ ...profile, customer: changed }));
      onDone(Date.now() + RESEND_AFTER_MS);
    },
  });
  const address = form.values.newEmail;
  useBusyWhile(address !== '', 'a new address being typed');
  usePersistedDraft(CHANGE_EMAIL_DRAFT, () => (address === '' ? null : { address }));
  return (
    <Form form={form} problemTitle="Your email was not changed" startsFocused>
      <EmailField
        {...form.input('newEmail')}
        label="New email"
        hint="We’ll email a link to this address. Your email changes when you open it."
        required
        maxLength={254}
      />
      <Cluster>
        <Button type="submit" isPending={form.isPending} pendingText="Sending…">
          Send the link
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </Cluster>
    </Form>
  );
}

function checkNewEmail(address: string, current: string): { newEmail?: string } {
  if (!isEmail(address)) return { newEmail: MESSAGES.email };
  return address.toLowerCase() === current.toLowerCase() ? { newEmail: 'This is already your address.' } : {};
}
