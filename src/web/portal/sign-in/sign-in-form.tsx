import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { signIn } from '#contract/sign-in/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import styles from './sign-in-form.module.css';
import type { Proceed } from './use-sign-in.ts';

export type Credentials = { email: string; password: string };
type Values = Credentials & { way: 'password' | 'code' };

/** The draft restores the email after a reload, not the password. */
export const SIGN_IN_DRAFT = 'sign-in';

type SignInFormProps = {
  /** True after a later step led back here. */
  startsFocused: boolean;
  /** Initial values: what was typed before a step that led back here. */
  typed: Credentials;
  onTyped: (typed: Credentials) => void;
  proceed: Proceed;
};

/** Signs in with a password, an emailed code or a passkey. */
export function SignInForm({ startsFocused, typed, onTyped, proceed }: SignInFormProps) {
  const form = useForm({
    initial: (): Values => ({ ...typed, way: 'password' }),
    check: ({ email, password, way }) => ({
      ...checkEmail(email),
      ...(way === 'password' && password === '' ? { password: MESSAGES.noPassword } : {}),
    }),
    send: (values) => {
      const email = values.email.trim();
      const { password, way } = values;
      onTyped({ email, password });
      return request(signIn, { body: way === 'code' ? { email } : { email, password } });
    },
    onDone: (outcome, { email }) => proceed(outcome, { email: email.trim() }),
    byCode: { invalid_credentials: 'password' },
    busyReason: 'sign-in being typed',
  });
  const email = form.values.email.trim();
  usePersistedDraft(SIGN_IN_DRAFT, () => (email === '' ? null : { email }));

  return (
    <Form form={form} problemTitle="We could not sign you in" startsFocused={startsFocused}>
      <EmailField {...form.input('email')} label="Email" autoComplete="username webauthn" required />
      <div>
        <PasswordField {...form.input('password')} label="Password" required />
        <Link className={styles.forgotten} to={portalPages.askForReset}>
          Forgot your password?
        </Link>
      </div>
      <Button
        type="submit"
        size="large"
        block
        isPending={form.sent?.way === 'password'}
        pendingText="Signing in…"
      >
        Sign in
      </Button>
      <p className={styles.or}>or without a password</p>
      <Button
        variant="secondary"
        block
        icon="mail"
        isPending={form.sent?.way === 'code'}
        pendingText="Sending…"
        onClick={() => form.submit({ way: 'code' })}
      >
        Email me a code instead
      </Button>
      {canUsePasskeys() && (
        <PasskeyButton proceed={proceed} withAutofill>
          Use a passkey
        </PasskeyButton>
      )}
    </Form>
  );
}
