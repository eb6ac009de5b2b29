import { useState } from 'react';
import { Link } from 'react-router';
import { sendResetInstructions } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { request } from '#web/platform/api/request.ts';
import { checkEmail } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';
import { FormPage } from '../forms/form-page.tsx';

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
        instruction="Open the link in it within 30 minutes."
        send={() => sendInstructions(email)}
        onBack={() => setIsSent(false)}
      />
    );
  }
  return (
    <FormPage
      title="Reset your password"
      intro="We email you a link to set a new password. It works for 30 minutes."
      smallPrint={
        <p>
          Remembered it? <Link to={portalPages.signIn}>Sign in</Link>. You can also use an emailed code or a
          passkey.
        </p>
      }
    >
      <Form form={form} problemTitle="We could not send the email">
        <EmailField {...form.input('email')} label="Email" autoComplete="username" required />
        <Button type="submit" size="large" block isPending={form.isPending} pendingText="Sending…">
          Email me a link
        </Button>
      </Form>
    </FormPage>
  );
}

function sendInstructions(email: string) {
  return request(sendResetInstructions, { body: { email: email.trim() } });
}
