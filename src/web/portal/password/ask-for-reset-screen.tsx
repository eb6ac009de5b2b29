import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { sendResetInstructions } from '#contract/registration/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';
import { NarrowPage, SmallPrint } from '../forms/narrow-page.tsx';
import { EMAIL_PROBLEM, isEmail, problemsOf } from '../forms/problems.ts';
import { useBusyForm } from '../forms/use-busy-form.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';

const FIELDS = ['email'] as const;

export function AskForResetScreen() {
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return (
      <CheckYourEmail
        email={email}
        instruction="Open the link in it within 30 minutes."
        send={() => request(sendResetInstructions, { body: { email } })}
        onBack={() => setIsSent(false)}
      />
    );
  }
  return (
    <NarrowPage>
      <PageHeader
        title="Reset your password"
        intro="We email you a link to set a new password. It works for 30 minutes."
      />
      <Stack>
        <Card>
          <AskForm
            email={email}
            onSent={(sentTo) => {
              setEmail(sentTo);
              setIsSent(true);
            }}
          />
        </Card>
        <SmallPrint>
          <p>
            Remembered it? <Link to={portalPages.signIn}>Sign in</Link>. You can also use an emailed code or a
            passkey.
          </p>
        </SmallPrint>
      </Stack>
    </NarrowPage>
  );
}

function AskForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { problems, errors, show, fieldProps } = useProblems(FIELDS);
  const holdTab = useBusyForm('an address being typed');
  const attempt = useMutation({
    mutationFn: (email: string) => request(sendResetInstructions, { body: { email } }),
  });

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    if (attempt.isPending || !show(isEmail(typed) ? {} : { email: EMAIL_PROBLEM })) return;
    attempt.mutate(typed, {
      onSuccess: () => onSent(typed),
      onError: (failure) => show(problemsOf(failure, FIELDS)),
    });
  }

  return (
    <form noValidate onSubmit={handleSubmit} onInput={holdTab}>
      <Stack>
        <ProblemList title="We could not send the email" errors={errors} form={problems.form} />
        <EmailField
          {...fieldProps('email')}
          label="Email"
          autoComplete="username"
          required
          defaultValue={email}
        />
        <Button type="submit" size="large" block isPending={attempt.isPending} pendingText="Sending…">
          Email me a link
        </Button>
      </Stack>
    </form>
  );
}
