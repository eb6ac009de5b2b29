import { useQueryClient } from '@tanstack/react-query';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { inviteStaffMember } from '#contract/staff/members/endpoints.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { EmailField, TextField } from '#web/ui/form/field.tsx';
import { peopleQuery } from './people-query.ts';
import { RoleField } from './role-field.tsx';

type Values = { name: string; email: string; role: StaffRole };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: (): Values => ({ name: '', email: '', role: 'gate' }),
    check: ({ name, email }) => ({
      ...(name.trim() === '' ? { name: MESSAGES.label } : {}),
      ...checkEmail(email),
    }),
    send: ({ name, email, role }) =>
      request(inviteStaffMember, { body: { name: name.trim(), email: email.trim(), role } }),
    onDone: async (_, { email }) => {
      await client.invalidateQueries(peopleQuery);
      notify(t('An invitation is on its way to {email}.', { email: email.trim() }), { type: 'success' });
      onClose();
    },
    byCode: { staff_exists: 'email' },
    busyReason: 'an invitation being typed',
  });
  return (
    <FormDialog
      form={form}
      title={t('Invite someone')}
      confirm={t('Send the invitation')}
      pendingText={t('Sending…')}
      problemTitle={t('The invitation is not sent yet')}
      onClose={onClose}
    >
      <TextField
        {...form.input('name')}
        label={t('Name')}
        autoComplete="off"
        maxLength={PERSON_NAME_LENGTH}
        required
      />
      <EmailField {...form.input('email')} label={t('Email')} autoComplete="off" required />
      <RoleField value={form.values.role} onChange={(role) => form.change({ role })} />
    </FormDialog>
  );
}
