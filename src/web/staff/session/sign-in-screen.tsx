import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getStaffPasskeyChallenge, signInStaff, signInStaffWithPasskey } from '#contract/staff/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { PasskeyButton } from '#web/features/identity/passkey-button.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffSession } from '#web/platform/api/types.ts';
import { checkEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePairedDevice } from '../devices/paired-device.ts';
import { ShiftForm } from '../devices/shift-form.tsx';
import { setStaffSession } from './staff-session.ts';

type Credentials = { email: string; password: string };
type StepProps = { onSignedIn: (session: StaffSession) => void };

/** In place of every screen while no one is signed in. Afterwards the address shows what it is of. */
export function SignInScreen() {
  const client = useQueryClient();
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const [email, setEmail] = useState('');
  const [isOther, setIsOther] = useState(false);
  const device = usePairedDevice();
  const onSignedIn = (session: StaffSession) => setStaffSession(client, session);
  if (device.data && !isOther) {
    return <ShiftForm device={device.data} onSignedIn={onSignedIn} onOther={() => setIsOther(true)} />;
  }
  if (credentials !== null) {
    return <CodeStep credentials={credentials} onBack={() => setCredentials(null)} onSignedIn={onSignedIn} />;
  }
  return (
    <PasswordStep
      email={email}
      onSignedIn={onSignedIn}
      onPassword={(typed) => {
        setEmail(typed.email);
        setCredentials(typed);
      }}
    />
  );
}

type PasswordStepProps = StepProps & { email: string; onPassword: (credentials: Credentials) => void };

function PasswordStep({ email, onSignedIn, onPassword }: PasswordStepProps) {
  const { brand } = useSettings();
  const form = useForm({
    initial: { email, password: '' },
    check: ({ email, password }) => ({
      ...checkEmail(email),
      ...(password === '' ? { password: MESSAGES.noPassword } : {}),
    }),
    send: ({ email, password }) => request(signInStaff, { body: { email: email.trim(), password } }),
    onDone: (outcome, { email, password }) =>
      'next' in outcome ? onPassword({ email: email.trim(), password }) : onSignedIn(outcome),
    byCode: { invalid_credentials: 'password' },
    busyReason: 'sign-in being typed',
  });
  return (
    <FormPage
      title={t('Sign in')}
      intro={t('This site is for people who work for {brand}.', { brand: brand.name })}
      smallPrint={<ForCustomers />}
    >
      <Form form={form} problemTitle={t('We could not sign you in')}>
        <EmailField {...form.input('email')} label={t('Email')} autoComplete="username webauthn" required />
        <PasswordField {...form.input('password')} label={t('Password')} required />
        <Button type="submit" size="large" block isPending={form.isPending} pendingText={t('Signing in…')}>
          {t('Sign in')}
        </Button>
        {canUsePasskeys() && (
          <PasskeyButton
            challenge={getStaffPasskeyChallenge}
            send={({ temp, response }) => request(signInStaffWithPasskey, { body: { temp, response } })}
            onDone={onSignedIn}
            withAutofill
          >
            {t('Use a passkey')}
          </PasskeyButton>
        )}
      </Form>
    </FormPage>
  );
}

function ForCustomers() {
  const { origins } = pageConfig();
  return (
    <>
      <p>{t('New here? Ask a manager for an invitation.')}</p>
      <p>
        {rich('To travel with us, <link>buy tickets</link>.', {
          link: (text) => <a href={`${origins.tickets}/`}>{text}</a>,
        })}
      </p>
    </>
  );
}

type CodeStepProps = StepProps & { credentials: Credentials; onBack: () => void };

function CodeStep({ credentials, onBack, onSignedIn }: CodeStepProps) {
  return (
    <FormPage title={t('Second step')} intro={t('Enter the code from your authenticator app.')}>
      <Stack>
        <CodeForm
          label={t('Code from your authenticator')}
          button={t('Sign in')}
          size="large"
          send={(code) => request(signInStaff, { body: { ...credentials, code } })}
          onDone={(outcome) => ('next' in outcome ? onBack() : onSignedIn(outcome))}
          onFailed={(failure) => {
            // The password was changed meanwhile.
            if (hasErrorCode(failure, 'invalid_credentials')) onBack();
            return undefined;
          }}
        />
        <Button variant="quiet" size="small" onClick={onBack}>
          {t('Start over')}
        </Button>
      </Stack>
    </FormPage>
  );
}
