import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ReadOnlyReason } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type AsCustomerProps = {
  /** The screen of staff that it was opened from. */
  back: { to: string; label: string };
  children: ReactNode;
};

/** Around a screen of a customer that staff look at: says so, and disables its buttons. */
export function AsCustomer({ back, children }: AsCustomerProps) {
  const reason = t('Nothing can be changed here.');
  return (
    <Stack>
      <Notice title={t('You see what the customer sees.')} action={<Link to={back.to}>{back.label}</Link>}>
        {reason} {t('The log records that you looked.')}
      </Notice>
      <ReadOnlyReason value={reason}>{children}</ReadOnlyReason>
    </Stack>
  );
}
