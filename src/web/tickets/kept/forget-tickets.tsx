import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { forgetKeptOrders } from './kept-orders.ts';

/** For a device that others use too. */
export function ForgetTickets() {
  const client = useQueryClient();
  const [step, setStep] = useState<'offer' | 'ask' | 'kept'>('offer');
  const forget = useMutation({ mutationFn: () => forgetKeptOrders(client) });
  if (forget.isSuccess) {
    return (
      <Notice type="success" role="status">
        Your tickets are no longer kept on this device. The link in our email opens them again.
      </Notice>
    );
  }
  return (
    <Stack gap="sm">
      <p>
        Your tickets stay here until your crossing is over, even without a connection. Anyone who uses this
        browser can open them.
      </p>
      {forget.isError && (
        <Notice type="alert" role="alert">
          This browser’s storage does not answer. Try again, or clear this site’s data in the browser’s
          settings.
        </Notice>
      )}
      {step === 'ask' ? (
        <Notice
          type="warning"
          role="alert"
          title="Remove your tickets from this device?"
          action={
            <Cluster>
              <Button
                variant="danger"
                size="small"
                isPending={forget.isPending}
                pendingText="Removing…"
                onClick={() => forget.mutate()}
              >
                Remove
              </Button>
              <Button variant="secondary" size="small" autoFocus onClick={() => setStep('kept')}>
                Keep them
              </Button>
            </Cluster>
          }
        >
          The link in our email opens them again.
        </Notice>
      ) : (
        <p>
          <Button variant="secondary" size="small" autoFocus={step === 'kept'} onClick={() => setStep('ask')}>
            Remove from this device
          </Button>
        </p>
      )}
    </Stack>
  );
}
