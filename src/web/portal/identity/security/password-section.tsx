import { useState } from 'react';
import { changePassword } from '#contract/identity/security/endpoints.ts';
import { NewPasswordField, PASSWORD_REFUSALS } from '#web/features/identity/new-password-field.tsx';
import { formatDate } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { useProfile } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import type { SecurityOverview } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { useReloadSecurity } from './use-security-action.ts';

export function PasswordSection({ overview }: { overview: SecurityOverview }) {
  const [isChanging, setIsChanging] = useState(false);
  const [shouldFocus, setShouldFocus] = useState(false);
  const { hasPassword, passwordChangedAt } = overview;

  function close() {
    setIsChanging(false);
    setShouldFocus(true);
  }

  if (isChanging) return <PasswordForm isFirst={!hasPassword} onClose={close} />;
  return (
    <Stack>
      <p>
        {!hasPassword
          ? t('You sign in with a code we email you, or with a passkey.')
          : passwordChangedAt === null
            ? t('You sign in with your email and a password.')
            : t('You sign in with your email and a password. It was set on {date}.', {
                date: formatDate(passwordChangedAt),
              })}
      </p>
      <Button variant="secondary" autoFocus={shouldFocus} onClick={() => setIsChanging(true)}>
        {t(hasPassword ? 'Change password' : 'Set a password')}
      </Button>
    </Stack>
  );
}

function PasswordForm({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { customer } = useProfile();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }): { password?: string } =>
      password === '' ? { password: t('Enter a new password.') } : {},
    send: ({ password }) => request(changePassword, { body: { password } }),
    onDone: () => {
      notify(
        t(
          isFirst
            ? 'Your password is set. You are signed out on all other devices.'
            : 'Your password is changed. You are signed out on all other devices.',
        ),
        { type: 'success' },
      );
      onClose();
    },
    onSettled: useReloadSecurity(),
    byCode: PASSWORD_REFUSALS,
  });
  const { password } = form.values;
  useBusyWhile(password !== '', 'a password being typed');
  return (
    <Form form={form} problemTitle={t('Your password was not changed')}>
      {/* Password managers look here for whose password it is. */}
      <input type="email" autoComplete="username" value={customer.email} readOnly hidden />
      <NewPasswordField
        {...form.field('password')}
        label={t('New password')}
        context={customer}
        value={password}
        onChange={(typed) => form.change({ password: typed })}
      />
      <Cluster>
        <Button type="submit" isPending={form.isPending} pendingText={t('Saving…')}>
          {t(isFirst ? 'Set password' : 'Change password')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Cluster>
    </Form>
  );
}
