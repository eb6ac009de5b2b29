import { useMutation } from '@tanstack/react-query';
import { resendEmailChange } from '#contract/accounts/endpoints.ts';
import { reloadProfile } from '#web/platform/account/profile.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { tooManyTries } from '../forms/problems.ts';
import { ResendButton } from '../forms/resend-button.tsx';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { changeProfile } from './change-profile.ts';

/** As long as the server wants between two mails. */
export const RESEND_AFTER_MS = 60_000;

type PendingEmailProps = {
  address: string;
  /** Milliseconds since 1970. */
  resendAt: number;
  onResendAt: (resendAt: number) => void;
};

/** A change of address under way: what it waits for, and the ways out. */
export function PendingEmail({ address, resendAt, onResendAt }: PendingEmailProps) {
  const stepUp = useStepUp();
  const resend = useMutation({
    mutationFn: () => stepUp.run(() => request(resendEmailChange)),
    onSuccess: () => {
      onResendAt(Date.now() + RESEND_AFTER_MS);
      notify(`We sent another link to ${address}. Only the new one works.`, { type: 'success' });
    },
    onError: (failure) => {
      // Followed or withdrawn somewhere else since.
      if (hasErrorCode(failure, 'no_email_change')) void reloadProfile();
      if (failure instanceof ApiError && failure.retryAfter !== null) {
        onResendAt(Date.now() + failure.retryAfter * 1000);
      }
    },
  });
  const withdraw = useMutation({
    mutationFn: () => stepUp.run(() => changeProfile({ pendingEmail: '' })),
    onSuccess: () => notify('Your email stays as it is.', { type: 'success' }),
  });
  const failure = [resend.error, withdraw.error].find((each) => each && !(each instanceof StepUpCancelled));
  return (
    <>
      <Notice type="message" role="status" title="Waiting for you to confirm">
        We sent a link to <strong>{address}</strong>. Open it to switch to this address.
      </Notice>
      {failure && (
        <Notice type="alert" role="alert">
          {textOf(failure)}
        </Notice>
      )}
      <Cluster>
        <ResendButton availableAt={resendAt} isPending={resend.isPending} onPress={() => resend.mutate()} />
        <Button
          variant="secondary"
          size="small"
          isPending={withdraw.isPending}
          pendingText="Canceling…"
          onClick={() => withdraw.mutate()}
        >
          Cancel the change
        </Button>
      </Cluster>
    </>
  );
}

function textOf(failure: Error): string {
  if (failure instanceof ApiError && failure.code === 'rate_limited' && failure.retryAfter !== null) {
    return tooManyTries(failure.retryAfter);
  }
  return errorText(failure);
}
