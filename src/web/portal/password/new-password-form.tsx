import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { resetPassword } from '#contract/registration/endpoints.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { type Problems, problemsOf } from '../forms/problems.ts';
import { useBusyForm } from '../forms/use-busy-form.ts';
import { checkDigits, checkRecoveryCode } from '../forms/use-code-step.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { PASSWORD_REFUSALS } from './password-refusals.ts';
import { missingCharacters } from './use-strength.ts';

const FIELDS = ['password', 'code'] as const;
type Field = (typeof FIELDS)[number];

const NOBODY_KNOWN = { email: '', name: '' };

type NewPasswordFormProps = {
  token: string;
  /** The form stays pending until this resolves; what it throws is shown. */
  onDone: () => Promise<void>;
  onExpired: (message: string) => void;
};

/** The code is asked for once the server says that the account wants one. */
export function NewPasswordForm({ token, onDone, onExpired }: NewPasswordFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { problems, errors, show, fieldProps } = useProblems<Field>(FIELDS);
  const holdTab = useBusyForm('new password being typed');
  const attempt = useMutation({
    mutationFn: async (reset: { token: string; password: string; code?: string }) => {
      await request(resetPassword, { body: reset });
      await onDone();
    },
  });
  const isUnderWay = attempt.isPending;

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isUnderWay || !show(check())) return;
    const reset = { token, password, ...(needsCode ? { code: code.trim() } : {}) };
    attempt.mutate(reset, { onError: refuse });
  }

  function check(): Problems<Field> {
    return {
      ...(missingCharacters(password) > 0 ? { password: 'Choose a longer password.' } : {}),
      ...(needsCode && !isCode(code) ? { code: 'Enter the 6 digits, or a recovery code.' } : {}),
    };
  }

  function refuse(failure: unknown) {
    if (hasErrorCode(failure, 'link_expired')) return onExpired(errorText(failure));
    if (hasErrorCode(failure, 'second_step_required')) setNeedsCode(true);
    const places = { ...PASSWORD_REFUSALS, second_step_required: 'code', invalid_code: 'code' } as const;
    show(problemsOf(failure, FIELDS, places));
  }

  return (
    <form noValidate onSubmit={handleSubmit} onInput={holdTab}>
      <Stack>
        <ProblemList title="Your password is not changed yet" errors={errors} form={problems.form} />
        <NewPasswordField
          {...fieldProps('password')}
          label="New password"
          value={password}
          context={NOBODY_KNOWN}
          onChange={setPassword}
        />
        {needsCode && (
          <TextField
            {...fieldProps('code')}
            label="Code from your authenticator"
            hint="Or use one of your recovery codes."
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <Button type="submit" size="large" block isPending={isUnderWay} pendingText="One moment…">
          Set password
        </Button>
      </Stack>
    </form>
  );
}

function isCode(text: string): boolean {
  return checkDigits(text.replace(/[\s-]/g, '')) === null || checkRecoveryCode(text) === null;
}
