import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { signIn } from '#contract/sign-in/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { SignIn } from '#web/platform/api/types.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { EMAIL_PROBLEM, isEmail, type Problems, problemsOf } from '../forms/problems.ts';
import { useBusyForm } from '../forms/use-busy-form.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import styles from './sign-in-form.module.css';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';
import type { SignInFlow } from './use-sign-in.ts';

export type Credentials = { email: string; password: string };
type Field = keyof Credentials;
type Way = 'password' | 'code';

const FIELDS: readonly Field[] = ['email', 'password'];

/** Under this name the address is kept over a reload; the password is not. */
export const SIGN_IN_DRAFT = 'sign-in';

type SignInFormProps = {
  /** It took the place of a later step, with which the focus is gone. */
  takesFocus: boolean;
  /** What stands in the fields at first: what was typed before a step that led back here. */
  typed: Credentials;
  onTyped: (typed: Credentials) => void;
  proceed: SignInFlow['proceed'];
};

/** One address for a password and for a mailed code; a passkey needs neither. */
export function SignInForm({ takesFocus, typed, onTyped, proceed }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { problems, errors, show, fieldProps } = useProblems(FIELDS);
  const holdTab = useBusyForm('sign-in being typed');
  const attempt = useMutation({
    mutationFn: async (entered: SignIn) =>
      proceed(await request(signIn, { body: entered }), { email: entered.email }),
  });
  const passkey = usePasskeySignIn({ onOutcome: proceed, withAutofill: true });
  usePersistedDraft(SIGN_IN_DRAFT, () => {
    const email = form.current === null ? '' : readCredentials(form.current).email;
    return email === '' ? null : { email };
  });
  const emailId = fieldProps('email').id;
  useEffect(() => {
    if (takesFocus) document.getElementById(emailId)?.focus();
  }, [takesFocus, emailId]);

  const isUnderWay = attempt.isPending;
  const isCode = attempt.variables !== undefined && !('password' in attempt.variables);

  function send(way: Way) {
    if (form.current === null || isUnderWay) return;
    const credentials = readCredentials(form.current);
    onTyped(credentials);
    if (!show(checkCredentials(credentials, way))) return;
    const { email } = credentials;
    attempt.mutate(way === 'code' ? { email } : credentials, {
      onError: (failure) => show(problemsOf(failure, FIELDS, { invalid_credentials: 'password' })),
    });
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    send('password');
  }

  return (
    <form ref={form} noValidate onSubmit={handleSubmit} onInput={holdTab}>
      <Stack>
        <ProblemList title="We could not sign you in" errors={errors} form={problems.form} />
        <EmailField
          {...fieldProps('email')}
          label="Email"
          autoComplete="username webauthn"
          required
          defaultValue={typed.email}
        />
        <div>
          <PasswordField
            {...fieldProps('password')}
            label="Password"
            required
            defaultValue={typed.password}
          />
          <Link className={styles.forgotten} to={portalPages.askForReset}>
            Forgot your password?
          </Link>
        </div>
        <Button type="submit" size="large" block isPending={isUnderWay && !isCode} pendingText="Signing in…">
          Sign in
        </Button>
        <p className={styles.or}>or without a password</p>
        <Button
          variant="secondary"
          block
          icon="mail"
          isPending={isUnderWay && isCode}
          pendingText="Sending…"
          onClick={() => send('code')}
        >
          Email me a code instead
        </Button>
        {canUsePasskeys() && <PasskeyButton {...passkey}>Use a passkey</PasskeyButton>}
      </Stack>
    </form>
  );
}

/** What can be seen to be wrong before anything is sent. */
function checkCredentials({ email, password }: Credentials, way: Way): Problems<Field> {
  return {
    ...(isEmail(email) ? {} : { email: EMAIL_PROBLEM }),
    ...(way === 'password' && password === '' ? { password: 'Enter your password.' } : {}),
  };
}

function readCredentials(form: HTMLFormElement): Credentials {
  const fields = new FormData(form);
  return { email: String(fields.get('email') ?? '').trim(), password: String(fields.get('password') ?? '') };
}
