import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { deleteSavedOrders } from './saved-orders.ts';

/** For a device that other people use too. */
export function DeleteTickets() {
  const client = useQueryClient();
  const [step, setStep] = useState<'offer' | 'confirm' | 'canceled'>('offer');
  const deletion = useMutation({ mutationFn: () => deleteSavedOrders(client) });
  if (deletion.isSuccess) {
    return (
      <Notice type="success" role="status">
        {t('Your tickets are no longer kept on this device. The link in our email opens them again.')}
      </Notice>
    );
  }
  return (
    <Stack gap="sm">
      <p className="note">
        {t(
          'Your tickets stay here until your crossing is over, even without a connection. Anyone who uses this browser can open them.',
        )}
      </p>
      {deletion.isError && (
        <Notice type="alert" role="alert">
          {t(
            'This browser’s storage does not answer. Try again, or clear this site’s data in the browser’s settings.',
          )}
        </Notice>
      )}
      {step === 'confirm' ? (
        <Notice
          type="warning"
          role="alert"
          title={t('Remove your tickets from this device?')}
          action={
            <Cluster>
              <Button
                variant="danger"
                size="small"
                isPending={deletion.isPending}
                pendingText={t('Removing…')}
                onClick={() => deletion.mutate()}
              >
                {t('Remove')}
              </Button>
              <Button variant="secondary" size="small" autoFocus onClick={() => setStep('canceled')}>
                {t('Keep them')}
              </Button>
            </Cluster>
          }
        >
          {t('The link in our email opens them again.')}
        </Notice>
      ) : (
        <p>
          <Button
            variant="secondary"
            size="small"
            autoFocus={step === 'canceled'}
            onClick={() => setStep('confirm')}
          >
            {t('Remove from this device')}
          </Button>
        </p>
      )}
    </Stack>
  );
}
