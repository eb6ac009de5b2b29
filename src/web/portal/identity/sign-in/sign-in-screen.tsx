import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { signIn } from '#contract/identity/sign-in/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { hasSessionEnded, useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { NextStep } from './next-step.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import styles from './sign-in-screen.module.css';
import { type Proceed, useSignIn } from './use-sign-in.ts';

type Credentials = { email: string; password: string };
type Values = Credentials & { method: 'password' | 'code' };

/** The draft restores the email after a reload, not the password. */
const DRAFT = 'sign-in';

export function SignInScreen() {
  const { brand } = useSettings();
  const { challenge, proceed, restart } = useSignIn({ resumes: true });
  /** The address of an account confirmed in this tab. */
  const { state }: { state: { email?: string } | null } = useLocation();
  const [typed, setTyped] = useState<Credentials>(() => ({
    email: challenge?.email ?? findDraft(DRAFT)?.email ?? state?.email ?? '',
    password: '',
  }));
  const [message, setMessage] = useState<string | null>(null);
  const [isBack, setIsBack] = useState(false);

  if (challenge !== null) {
    const goBack = (reason?: string) => {
      restart();
      setMessage(reason ?? null);
      setIsBack(true);
    };
    return <NextStep challenge={challenge} proceed={proceed} onRestart={goBack} />;
  }
  return (
    <FormPage
      title={t('Sign in')}
      intro={t('See your {brand} orders and tickets.', { brand: brand.name })}
      notice={<Reason message={message} />}
      smallPrint={<OtherWays />}
    >
      <SignInForm startsFocused={isBack} typed={typed} onTyped={setTyped} proceed={proceed} />
    </FormPage>
  );
}

/** Why the customer was led here. */
function Reason({ message }: { message: string | null }) {
  const { signInExpired } = useSession();
  if (message !== null) {
    return (
      <Notice type="warning" role="alert">
        {message}
      </Notice>
    );
  }
  const hasEnded = hasSessionEnded();
  if (!hasEnded && !signInExpired) return null;
  return (
    <Notice type="message" role="status">
      {t(hasEnded ? 'Your session has ended. Please sign in again.' : 'Please sign in to open that page.')}
    </Notice>
  );
}

type SignInFormProps = {
  /** True after a later step led back here. */
  startsFocused: boolean;
  /** Initial values: what was typed before a step that led back here. */
  typed: Credentials;
  onTyped: (typed: Credentials) => void;
  proceed: Proceed;
};

/** Signs in with a password, an emailed code or a passkey. */
function SignInForm({ startsFocused, typed, onTyped, proceed }: SignInFormProps) {
  const form = useForm({
    initial: (): Values => ({ ...typed, method: 'password' }),
    check: ({ email, password, method }) => ({
      ...checkEmail(email),
      ...(method === 'password' && password === '' ? { password: MESSAGES.noPassword } : {}),
    }),
    send: (values) => {
      const email = values.email.trim();
      const { password, method } = values;
      onTyped({ email, password });
      return request(signIn, { body: method === 'code' ? { email } : { email, password } });
    },
    onDone: (outcome, { email }) => proceed(outcome, { email: email.trim() }),
    byCode: { invalid_credentials: 'password' },
    busyReason: 'sign-in being typed',
  });
  const email = form.values.email.trim();
  usePersistedDraft(DRAFT, () => (email === '' ? null : { email }));

  return (
    <Form form={form} problemTitle={t('We could not sign you in')} startsFocused={startsFocused}>
      <EmailField {...form.input('email')} label={t('Email')} autoComplete="username webauthn" required />
      <div>
        <PasswordField {...form.input('password')} label={t('Password')} required />
        <Link className={styles.forgotten} to={portalPages.askForReset}>
          {t('Forgot your password?')}
        </Link>
      </div>
      <Button
        type="submit"
        size="large"
        block
        isPending={form.sent?.method === 'password'}
        pendingText={t('Signing in…')}
      >
        {t('Sign in')}
      </Button>
      <p className={styles.or}>{t('or without a password')}</p>
      <Button
        variant="secondary"
        block
        icon="mail"
        isPending={form.sent?.method === 'code'}
        pendingText={t('Sending…')}
        onClick={() => form.submit({ method: 'code' })}
      >
        {t('Email me a code instead')}
      </Button>
      {canUsePasskeys() && (
        <PasskeySignIn proceed={proceed} withAutofill>
          {t('Use a passkey')}
        </PasskeySignIn>
      )}
    </Form>
  );
}

function OtherWays() {
  const canReach = useCanReach();
  const { origins } = pageConfig();
  return (
    <>
      <p>
        {rich('New here? <link>Create an account</link>', {
          link: (text) => <Link to={portalPages.signUp}>{text}</Link>,
        })}
      </p>
      <p>
        {rich('Bought without an account? <link>Find your tickets</link> with the order’s reference.', {
          link: (text) => <a href={`${origins.tickets}/?find=1`}>{text}</a>,
        })}
        {canReach && (
          <> {rich('For help with signing in, <contact></contact>.', { contact: () => <ContactWays /> })}</>
        )}
      </p>
    </>
  );
}
