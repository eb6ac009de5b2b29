import { useState } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import type { Customer } from '#web/platform/api/types.ts';
import { findDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CHANGE_EMAIL_DRAFT, ChangeEmailForm } from './change-email-form.tsx';
import styles from './email-card.module.css';
import { PendingEmail } from './pending-email.tsx';

export function EmailCard({ customer }: { customer: Customer }) {
  const [isChanging, setIsChanging] = useState(() => findDraft(CHANGE_EMAIL_DRAFT) !== null);
  const [resendAt, setResendAt] = useState(0);
  const [shouldFocus, setShouldFocus] = useState(false);

  function close() {
    setIsChanging(false);
    setShouldFocus(true);
  }

  return (
    <Card title="Email">
      <Stack>
        <p>
          <strong className={styles.address}>
            <EmailAddress>{customer.email}</EmailAddress>
          </strong>
          <br />
          <span className={styles.hint}>You sign in with this address, and your tickets go there.</span>
        </p>
        {customer.pendingEmail !== '' && !isChanging && (
          <PendingEmail address={customer.pendingEmail} resendAt={resendAt} onResendAt={setResendAt} />
        )}
        {isChanging ? (
          <ChangeEmailForm
            customer={customer}
            onDone={(availableAt) => {
              setResendAt(availableAt);
              close();
            }}
            onCancel={close}
          />
        ) : (
          <div>
            <Button variant="secondary" autoFocus={shouldFocus} onClick={() => setIsChanging(true)}>
              {customer.pendingEmail === '' ? 'Change email' : 'Change to another address'}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}
