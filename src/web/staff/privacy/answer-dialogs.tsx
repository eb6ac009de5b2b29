import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { PRIVACY_REASON_LENGTH } from '#contract/desk/limits.ts';
import { eraseStoredPerson, exportStoredPerson } from '#contract/desk/privacy/endpoints.ts';
import { staffPages } from '#contract/paths.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { request, requestVerbatim } from '#web/platform/api/request.ts';
import type { StoredPerson } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { operatorToday } from '../operator-clock.ts';

type DialogProps = { email: string; person: StoredPerson; onClose: () => void };

/** A person with many orders takes a while. */
const TIMEOUT = 30_000;

/** Saves everything stored about a person as a file. */
export function ExportDialog({ email, person, onClose }: DialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { reason: '' },
    check: checkReason,
    send: ({ reason }) =>
      requestVerbatim(exportStoredPerson, { body: { email, reason: reason.trim() }, timeoutMs: TIMEOUT }),
    onDone: async (data) => {
      saveFile(`personal-data-${operatorToday()}.json`, 'application/json', JSON.stringify(data, null, 2));
      notify(t('The file is in your downloads. Delete it once it is sent.'), { type: 'success' });
      onClose();
      await client.invalidateQueries({ queryKey: ['privacy'] });
    },
    busyReason: 'a privacy request being answered',
  });
  return (
    <FormDialog
      form={form}
      title={t('Export the data')}
      confirm={t('Export')}
      pendingText={t('Preparing…')}
      onClose={onClose}
    >
      <p>
        {t('You get a file with everything stored about {email}. Send it only to this address.', { email })}
      </p>
      {person.customerId !== null && <p>{t('The owner of the account gets a mail about it.')}</p>}
      <ReasonField {...form.input('reason')} />
    </FormDialog>
  );
}

/** Erases a person after a question, or says what has to happen first. */
export function EraseDialog({ email, person, onClose }: DialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { customerId, orders } = person;
  const form = useForm({
    initial: { reason: '' },
    check: checkReason,
    send: ({ reason }) =>
      request(eraseStoredPerson, { body: { email, reason: reason.trim() }, timeoutMs: TIMEOUT }),
    onDone: async (erased) => {
      onClose();
      await navigate(staffPages.privacy, { replace: true });
      client.removeQueries({ queryKey: ['privacy', 'person', email] });
      await client.invalidateQueries({ queryKey: ['privacy'] });
      // After the navigation, which clears the notifications of the screen before.
      notify(
        t('The person is erased, from {count, plural, one {# order} other {# orders}}.', {
          count: erased.orders,
        }),
        { type: 'success' },
      );
    },
    busyReason: 'a privacy request being answered',
  });
  return (
    <FormDialog
      form={form}
      title={t('Erase {email}?', { email })}
      confirm={t('Erase for good')}
      pendingText={t('Erasing…')}
      onClose={onClose}
    >
      <p>
        {customerId === null
          ? t(
              'Name, contact, travelers and plates leave {count, plural, one {# order} other {# orders}}. This cannot be undone.',
              { count: orders },
            )
          : t(
              'The account is deleted, and name, contact, travelers and plates leave {count, plural, one {# order} other {# orders}}. This cannot be undone.',
              { count: orders },
            )}
      </p>
      <p>{t('Sums and tickets stay. Backups from before still have the data.')}</p>
      <ReasonField {...form.input('reason')} />
    </FormDialog>
  );
}

function checkReason({ reason }: { reason: string }): { reason?: string } {
  return reason.trim() === '' ? { reason: t('Say why.') } : {};
}

function ReasonField(props: Omit<TextFieldProps, 'label'>) {
  return (
    <TextField
      {...props}
      label={t('Reason')}
      hint={t('The log keeps it for good, so name no person in it. “Letter of June 2” is enough.')}
      autoComplete="off"
      maxLength={PRIVACY_REASON_LENGTH}
      required
    />
  );
}
