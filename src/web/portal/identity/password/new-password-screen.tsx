import { useState } from 'react';
import { useNavigate } from 'react-router';
import { resetPassword } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { isCode } from '#web/features/identity/code-form.tsx';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { LinkUseless, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import {
  countMissingCharacters,
  NewPasswordField,
  PASSWORD_REFUSALS,
} from '#web/features/identity/new-password-field.tsx';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';

export function NewPasswordScreen() {
  const token = useMailedToken();
  const [useless, setUseless] = useState<{ token: string; message: string } | null>(null);
  const problem =
    token === null
      ? t('This link is incomplete. Open it from the email again.')
      : useless?.token === token && useless.message;
  return (
    <FormPage
      title={t('Set a new password')}
      intro={t('We’ll sign out every device. Then sign in with your new password.')}
    >
      {token === null || problem ? (
        <LinkUseless
          instead={<ButtonLink to={portalPages.askForReset}>{t('Ask for a new link')}</ButtonLink>}
        >
          {problem}
        </LinkUseless>
      ) : (
        <NewPasswordForm token={token} onExpired={(message) => setUseless({ token, message })} />
      )}
    </FormPage>
  );
}

type NewPasswordFormProps = { token: string; onExpired: (message: string) => void };

/** Asks for a code once the server says that the account requires one. */
function NewPasswordForm({ token, onExpired }: NewPasswordFormProps) {
  const navigate = useNavigate();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({
    initial: { password: '', code: '' },
    check: ({ password, code }) => ({
      ...(countMissingCharacters(password) > 0 ? { password: MESSAGES.shortPassword } : {}),
      ...(needsCode && !isCode(code) ? { code: t('Enter the 6 digits, or a recovery code.') } : {}),
    }),
    send: ({ password, code }) =>
      request(resetPassword, { body: { token, password, ...(needsCode ? { code: code.trim() } : {}) } }),
    onDone: async () => {
      await navigate(portalPages.signIn, { replace: true });
      notify(t('Your password is changed. Sign in with the new one. Every device was signed out.'), {
        type: 'success',
      });
    },
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
    <Form form={form} problemTitle={t('Your password is not changed yet')}>
      <NewPasswordField
        {...form.field('password')}
        label={t('New password')}
        value={form.values.password}
        context={UNKNOWN_OWNER}
        onChange={(password) => form.change({ password })}
      />
      {needsCode && (
        <TextField
          {...form.input('code')}
          label={t('Code from your authenticator')}
          hint={t('Or use one of your recovery codes.')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      )}
      <Button type="submit" size="large" block isPending={form.isPending} pendingText={t('One moment…')}>
        {t('Set password')}
      </Button>
    </Form>
  );
}

const UNKNOWN_OWNER = { email: '', name: '' };
