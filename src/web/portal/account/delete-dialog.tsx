import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { deleteCustomer } from '#web/platform/api/account.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { clearSession, forgetSignInExpired } from '#web/platform/session/session.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const boxId = useId();
  const [isAgreed, setIsAgreed] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const removal = useRemoval();
  useBusyWhile(true, 'an account being deleted');

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsMissing(!isAgreed);
    if (isAgreed) removal.start();
    else document.getElementById(boxId)?.focus();
  }

  return (
    <Modal
      size="lg"
      title="Delete your account?"
      onClose={onClose}
      canClose={!removal.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={removal.isPending} onClick={onClose}>
            Keep my account
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            isPending={removal.isPending}
            pendingText="Deleting…"
          >
            Delete my account
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <Stack>
          <ul>
            <li>Your tickets stay valid. They are in the emails we sent you.</li>
            <li>Your orders are no longer listed here. Keep those emails.</li>
            <li>We remove your details and passkeys, and sign you out everywhere.</li>
          </ul>
          {removal.problem && (
            <Notice type="alert" role="alert">
              {removal.problem}
            </Notice>
          )}
          <Checkbox
            id={boxId}
            label="I understand that this cannot be undone"
            checked={isAgreed}
            onChange={(event) => setIsAgreed(event.target.checked)}
            error={isMissing && !isAgreed ? 'Check this box if you want to delete your account.' : undefined}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function useRemoval() {
  const navigate = useNavigate();
  const stepUp = useStepUp();
  const removal = useMutation({
    mutationFn: () => stepUp.run(deleteCustomer),
    onSuccess: async () => {
      void clearSession();
      forgetSignInExpired();
      await navigate(portalPages.signIn, { replace: true });
      // Not before: what has been on screen goes with the screen it was on.
      notify('Your account is deleted. Thank you for traveling with us.', {
        type: 'success',
        persistent: true,
      });
    },
  });
  const isRefused = removal.error !== null && !(removal.error instanceof StepUpCancelled);
  return {
    start: () => {
      if (!removal.isPending) removal.mutate();
    },
    isPending: removal.isPending,
    problem: isRefused ? errorText(removal.error) : null,
  };
}
