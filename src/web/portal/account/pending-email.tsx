import { resendEmailChange } from '#contract/accounts/endpoints.ts';
import { changeProfile, reloadProfile } from '#web/platform/account/profile.ts';
import { ApiError, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { ResendButton } from '../forms/resend-button.tsx';
import { Problem } from '../parts/problem.tsx';

/** The server's minimum between two mails. */
export const RESEND_AFTER_MS = 60_000;

type PendingEmailProps = {
  address: string;
  /** Milliseconds since 1970. */
  resendAt: number;
  onResendAt: (resendAt: number) => void;
};

/** A pending change of address: send the link again, or cancel the change. */
export function PendingEmail({ address, resendAt, onResendAt }: PendingEmailProps) {
  const resend = useAction(() => request(resendEmailChange), {
    onDone: () => {
      onResendAt(Date.now() + RESEND_AFTER_MS);
      notify(`We sent another link to ${address}. Only the new one works.`, { type: 'success' });
    },
    onFailed: (failure) => {
      // Confirmed or withdrawn elsewhere since.
      if (hasErrorCode(failure, 'no_email_change')) void reloadProfile();
      if (failure instanceof ApiError && failure.retryAfter !== null) {
        onResendAt(Date.now() + failure.retryAfter * 1000);
      }
    },
  });
  const withdraw = useAction(() => changeProfile({ pendingEmail: '' }), {
    onDone: () => notify('Your email stays as it is.', { type: 'success' }),
  });
  return (
    <>
      <Notice type="message" role="status" title="Waiting for you to confirm">
        We sent a link to <strong>{address}</strong>. Open it to switch to this address.
      </Notice>
      <Problem text={resend.problem ?? withdraw.problem} />
      <Cluster>
        <ResendButton availableAt={resendAt} isPending={resend.isPending} onPress={() => resend.run()} />
        <Button
          variant="secondary"
          size="small"
          isPending={withdraw.isPending}
          pendingText="Canceling…"
          onClick={() => withdraw.run()}
        >
          Cancel the change
        </Button>
      </Cluster>
    </>
  );
}
