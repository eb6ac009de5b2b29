import { useState } from 'react';
import { changeEmail, resendEmailChange } from '#contract/identity/accounts/endpoints.ts';
import { EMAIL_LENGTH } from '#contract/limits.ts';
import { findRetryTime, RESEND_AFTER_MS, ResendButton } from '#web/features/mailed-code/resend-button.tsx';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { changeProfile, profileStore, reloadProfile } from '#web/platform/account/profile.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Customer } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from './email-card.module.css';

/** The draft restores the new address after a reload. */
const DRAFT = 'change-email';

export function EmailCard({ customer }: { customer: Customer }) {
  const [isChanging, setIsChanging] = useState(() => findDraft(DRAFT) !== null);
  const [resendAt, setResendAt] = useState(0);
  const [shouldFocus, setShouldFocus] = useState(false);

  function close() {
    setIsChanging(false);
    setShouldFocus(true);
  }

  return (
    <Card title={t('Email')}>
      <Stack>
        <p>
          <strong className={styles.address}>
            <EmailAddress>{customer.email}</EmailAddress>
          </strong>
          <br />
          <span className="note">{t('You sign in with this address, and your tickets go there.')}</span>
        </p>
        {customer.pendingEmail !== '' && !isChanging && (
          <PendingEmail address={customer.pendingEmail} resendAt={resendAt} onResendAt={setResendAt} />
        )}
        {isChanging ? (
          <ChangeEmailForm
            customer={customer}
            onDone={() => {
              setResendAt(Date.now() + RESEND_AFTER_MS);
              close();
            }}
            onCancel={close}
          />
        ) : (
          <Button variant="secondary" autoFocus={shouldFocus} onClick={() => setIsChanging(true)}>
            {t(customer.pendingEmail === '' ? 'Change email' : 'Change to another address')}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

type PendingEmailProps = {
  address: string;
  /** Milliseconds since 1970. */
  resendAt: number;
  onResendAt: (resendAt: number) => void;
};

/** A pending change of address: send the link again, or cancel the change. */
function PendingEmail({ address, resendAt, onResendAt }: PendingEmailProps) {
  const resend = useAction(() => request(resendEmailChange), {
    onDone: () => {
      onResendAt(Date.now() + RESEND_AFTER_MS);
      notify(t('We sent another link to {email}. Only the new one works.', { email: address }), {
        type: 'success',
      });
    },
    onFailed: (failure) => {
      // Confirmed or withdrawn elsewhere since.
      if (hasErrorCode(failure, 'no_email_change')) void reloadProfile();
      onResendAt(findRetryTime(failure) ?? resendAt);
    },
  });
  const withdraw = useAction(() => changeProfile({ pendingEmail: '' }), {
    onDone: () => notify(t('Your email stays as it is.'), { type: 'success' }),
  });
  return (
    <>
      <Notice type="message" role="status" title={t('Waiting for you to confirm')}>
        {rich('We sent a link to <address>{email}</address>. Open it to switch to this address.', {
          address: (email) => <strong>{email}</strong>,
          email: address,
        })}
      </Notice>
      <Problem text={resend.problem ?? withdraw.problem} />
      <Cluster>
        <ResendButton resend={resend} availableAt={resendAt} />
        <Button
          variant="secondary"
          size="small"
          isPending={withdraw.isPending}
          pendingText={t('Canceling…|what was begun')}
          onClick={() => withdraw.run()}
        >
          {t('Cancel the change')}
        </Button>
      </Cluster>
    </>
  );
}

type ChangeEmailFormProps = { customer: Customer; onDone: () => void; onCancel: () => void };

function ChangeEmailForm({ customer, onDone, onCancel }: ChangeEmailFormProps) {
  const form = useForm({
    initial: () => ({ newEmail: findDraft(DRAFT)?.address ?? '' }),
    check: ({ newEmail }) => checkNewEmail(newEmail.trim(), customer.email),
    send: ({ newEmail }) => request(changeEmail, { body: { newEmail: newEmail.trim() } }),
    onDone: (changed) => {
      profileStore.set((profile) => ({ ...profile, customer: changed }));
      onDone();
    },
  });
  const address = form.values.newEmail;
  useBusyWhile(address !== '', 'a new address being typed');
  usePersistedDraft(DRAFT, () => (address === '' ? null : { address }));
  return (
    <Form form={form} problemTitle={t('Your email was not changed')} startsFocused>
      <EmailField
        {...form.input('newEmail')}
        label={t('New email')}
        hint={t('We’ll email a link to this address. Your email changes when you open it.')}
        required
        maxLength={EMAIL_LENGTH}
      />
      <Cluster>
        <Button type="submit" isPending={form.isPending} pendingText={t('Sending…')}>
          {t('Send the link')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </Cluster>
    </Form>
  );
}

function checkNewEmail(address: string, current: string): { newEmail?: string } {
  if (!isEmail(address)) return { newEmail: MESSAGES.email };
  return address.toLowerCase() === current.toLowerCase()
    ? { newEmail: t('This is already your address.') }
    : {};
}
