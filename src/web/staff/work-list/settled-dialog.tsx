import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SETTLED_NOTE_LENGTH } from '#contract/desk/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TextField } from '#web/ui/form/field.tsx';

type SettledDialogProps = {
  title: string;
  /** What stays as it is. */
  children?: ReactNode;
  send: (note: string) => Promise<unknown>;
  onClose: () => void;
};

/** Notes how something was settled, which takes it off the list. */
export function SettledDialog({ title, children, send, onClose }: SettledDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { note: '' },
    check: ({ note }): { note?: string } =>
      note.trim() === '' ? { note: t('Write what you found out or did.') } : {},
    send: ({ note }) => send(note.trim()),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: ['desk-work'] });
      notify(t('Settled.'), { type: 'success' });
      onClose();
    },
    busyReason: 'a note of what was settled',
  });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('It is settled')}
      problemTitle={t('It is not settled yet')}
      onClose={onClose}
    >
      {children}
      <TextField
        {...form.input('note')}
        label={t('What was done')}
        hint={t('The audit log keeps it.')}
        autoComplete="off"
        maxLength={SETTLED_NOTE_LENGTH}
        required
      />
    </FormDialog>
  );
}
