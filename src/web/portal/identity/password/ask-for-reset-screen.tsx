import { useState } from 'react';
import { Link } from 'react-router';
import { sendResetInstructions } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';

export function AskForResetScreen() {
  const [isSent, setIsSent] = useState(false);
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => checkEmail(email),
    send: ({ email }) => sendInstructions(email),
    onDone: () => setIsSent(true),
    busyReason: 'an address being typed',
  });
  const { email } = form.values;
  if (isSent) {
    return (
      <CheckYourEmail
        email={email.trim()}
        instruction={t('Open the link in it within 30 minutes.')}
        send={() => sendInstructions(email)}
        onBack={() => setIsSent(false)}
      />
    );
  }
  return (
    <FormPage
      title={t('Reset your password')}
      intro={t('We email you a link to set a new password. It works for 30 minutes.')}
      smallPrint={
        <p>
          {rich('Remembered it? <link>Sign in</link>. You can also use an emailed code or a passkey.', {
            link: (text) => <Link to={portalPages.signIn}>{text}</Link>,
          })}
        </p>
      }
    >
      <Form form={form} problemTitle={t('We could not send the email')}>
        <EmailField {...form.input('email')} label={t('Email')} autoComplete="username" required />
        <Button type="submit" size="large" block isPending={form.isPending} pendingText={t('Sending…')}>
          {t('Email me a link')}
        </Button>
      </Form>
    </FormPage>
  );
}

function sendInstructions(email: string) {
  return request(sendResetInstructions, { body: { email: email.trim() } });
}
