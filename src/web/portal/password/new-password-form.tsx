import { useState } from 'react';
import { resetPassword } from '#contract/registration/endpoints.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { isCode } from '../forms/code-form.tsx';
import { NewPasswordField, PASSWORD_REFUSALS } from './new-password-field.tsx';
import { countMissingCharacters } from './use-strength.ts';

const UNKNOWN_OWNER = { email: '', name: '' };

type NewPasswordFormProps = {
  token: string;
  /** The form stays pending until this resolves; what it throws is shown. */
  onDone: () => Promise<void>;
  onExpired: (message: string) => void;
};

/** Asks for a code once the server says that the account requires one. */
export function NewPasswordForm({ token, onDone, onExpired }: NewPasswordFormProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initial: { password: '', code: '' },
    check: ({ password, code }) => ({
      ...(countMissingCharacters(password) > 0 ? { password: MESSAGES.shortPassword } : {}),
      ...(needsCode && !isCode(code) ? { code: 'Enter the 6 digits, or a recovery code.' } : {}),
    }),
    send: ({ password, code }) =>
      request(resetPassword, { body: { token, password, ...(needsCode ? { code: code.trim() } : {}) } }),
    onDone,
    onFailed: (failure) => {
      if (hasErrorCode(failure, 'second_step_required')) setNeedsCode(true);
      if (!hasErrorCode(failure, 'link_expired')) return undefined;
      onExpired(errorText(failure));
      return {};
    },
    byCode: { ...PASSWORD_REFUSALS, second_step_required: 'code', invalid_code: 'code' },
    busyReason: 'new password being typed',
  });
  return (
    <Form form={form} problemTitle="Your password is not changed yet">
      <NewPasswordField
        {...form.field('password')}
        label="New password"
        value={form.values.password}
        context={UNKNOWN_OWNER}
        onChange={(password) => form.change({ password })}
      />
      {needsCode && (
        <TextField
          {...form.input('code')}
          label="Code from your authenticator"
          hint="Or use one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      )}
      <Button type="submit" size="large" block isPending={form.isPending} pendingText="One moment…">
        Set password
      </Button>
    </Form>
  );
}
