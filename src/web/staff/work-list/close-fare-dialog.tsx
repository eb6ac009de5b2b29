import { useQueryClient } from '@tanstack/react-query';
import { closeFare } from '#contract/desk/endpoints.ts';
import { FARE_NOTE_LENGTH } from '#contract/desk/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { FareWork } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TextField } from '#web/ui/form/field.tsx';

/** Notes how a fare was settled, which takes it off the list. */
export function CloseFareDialog({ fare, onClose }: { fare: FareWork; onClose: () => void }) {
  const client = useQueryClient();
  const { id, lastFour, amount, unit, currency } = fare;
  const form = useForm({
    initial: { note: '' },
    check: ({ note }): { note?: string } =>
      note.trim() === '' ? { note: t('Write what you found out or did.') } : {},
    send: ({ note }) => request(closeFare, { params: { id }, body: { note: note.trim() } }),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: ['desk-work'] });
      notify(t('Settled.'), { type: 'success' });
      onClose();
    },
    busyReason: 'a fare being settled',
  });
  return (
    <FormDialog
      form={form}
      title={t('Is the fare of trip card ··{lastFour} settled?', { lastFour })}
      confirm={t('It is settled')}
      pendingText={t('One moment…')}
      problemTitle={t('It is not settled yet')}
      onClose={onClose}
    >
      {fare.kind === 'fare_owed' && (
        <p>
          {t('Nothing is taken: the card still owes {amount}.', {
            amount: formatOnCard(amount, { unit, currency }),
          })}
        </p>
      )}
      <TextField
        {...form.input('note')}
        label={t('What was done')}
        hint={t('The audit log keeps it.')}
        autoComplete="off"
        maxLength={FARE_NOTE_LENGTH}
        required
      />
    </FormDialog>
  );
}
