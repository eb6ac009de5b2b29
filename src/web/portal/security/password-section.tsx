import { type FormEvent, useState } from 'react';
import { changePassword } from '#contract/security/endpoints.ts';
import { useProfile } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import type { SecurityOverview } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { problemsOf } from '../forms/problems.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { formatDate } from '../parts/moments.ts';
import { NewPasswordField } from '../password/new-password-field.tsx';
import { PASSWORD_REFUSALS } from '../password/password-refusals.ts';
import { useOwnerAction } from './use-owner-action.ts';

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
          ? 'You sign in with a code we email you, or with a passkey.'
          : passwordChangedAt === null
            ? 'You sign in with your email and a password.'
            : `You sign in with your email and a password. It was set on ${formatDate(passwordChangedAt)}.`}
      </p>
      <div>
        <Button variant="secondary" autoFocus={shouldFocus} onClick={() => setIsChanging(true)}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      </div>
    </Stack>
  );
}

function PasswordForm({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { customer } = useProfile();
  const [password, setPassword] = useState('');
  const { problems, errors, show, fieldProps } = useProblems(FIELDS);
  const change = useOwnerAction((password: string) => request(changePassword, { body: { password } }), {
    onDone: () => {
      notify(
        isFirst
          ? 'Your password is set. You are signed out on all other devices.'
          : 'Your password is changed. You are signed out on all other devices.',
        { type: 'success' },
      );
      onClose();
    },
    onFailed: (failure) => show(problemsOf(failure, FIELDS, PASSWORD_REFUSALS)),
  });
  useBusyWhile(password !== '', 'a password being typed');
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (show(password === '' ? { password: 'Enter a new password.' } : {})) change.run(password);
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <ProblemList title="Your password was not changed" errors={errors} form={problems.form} />
        {/* Password managers look here for whose password it is. */}
        <input type="email" autoComplete="username" value={customer.email} readOnly hidden />
        <NewPasswordField
          {...fieldProps('password')}
          label="New password"
          context={{ email: customer.email, name: customer.name }}
          value={password}
          onChange={setPassword}
        />
        <Cluster>
          <Button type="submit" isPending={change.isPending} pendingText="Saving…">
            {isFirst ? 'Set password' : 'Change password'}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </Cluster>
      </Stack>
    </form>
  );
}

const FIELDS = ['password'] as const;
