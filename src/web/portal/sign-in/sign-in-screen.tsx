import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { signIn } from '#web/platform/api/account.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { isSignInExpired, startSession, useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/error-summary.tsx';
import { EmailField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeader } from '#web/ui/page.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { takeReturnPath } from './return-path.ts';
import { type Credentials, checkCredentials, problemOf, type SignInProblem } from './sign-in-problem.ts';
import styles from './sign-in-screen.module.css';

export function SignInScreen() {
  const { brand } = useSettings();
  useSession();
  return (
    <div className={styles.page}>
      <PageHeader title="Sign in" intro={`See your orders and tickets with ${brand.name}.`} />
      <Stack>
        {isSignInExpired() && (
          <Notice type="message" role="status">
            Your session has ended. Please sign in again.
          </Notice>
        )}
        <Card>
          <SignInForm />
        </Card>
        <OtherWays />
      </Stack>
    </div>
  );
}

type Outcome = { problem: SignInProblem; errors: FieldError[] };

function SignInForm() {
  const emailId = useId();
  const passwordId = useId();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<Outcome>({ problem: {}, errors: [] });
  const holdTab = useBusyForm();
  const attempt = useMutation({ mutationFn: (credentials: Credentials) => signIn(credentials) });

  function show(problem: SignInProblem) {
    const errors: FieldError[] = [];
    if (problem.email) errors.push({ fieldId: emailId, message: problem.email });
    if (problem.password) errors.push({ fieldId: passwordId, message: problem.password });
    setOutcome({ problem, errors });
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (attempt.isPending) return;
    const credentials = readCredentials(event.currentTarget);
    const problem = checkCredentials(credentials);
    show(problem);
    if (Object.keys(problem).length > 0) return;
    attempt.mutate(credentials, {
      onError: (failure) => show(problemOf(failure)),
      onSuccess: ({ token }) => {
        startSession(token);
        void navigate(takeReturnPath(), { replace: true });
      },
    });
  }

  const { problem, errors } = outcome;
  return (
    <form noValidate onSubmit={handleSubmit} onInput={holdTab}>
      <Stack>
        <ErrorSummary title="We could not sign you in" errors={errors} />
        {problem.form && (
          <Notice type="alert" role="alert">
            {problem.form}
          </Notice>
        )}
        <EmailField
          id={emailId}
          label="Email"
          name="email"
          autoComplete="username"
          required
          error={problem.email}
        />
        <PasswordField id={passwordId} label="Password" name="password" required error={problem.password} />
        <Button
          type="submit"
          size="large"
          block
          isPending={attempt.isPending || attempt.isSuccess}
          pendingText="Signing in…"
        >
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function OtherWays() {
  const { contact } = useSettings();
  const { origins } = pageConfig();
  return (
    <p className={styles.other}>
      Bought without an account? <a href={`${origins.tickets}/?find=1`}>Find your tickets</a> with the order’s
      reference. For help with signing in, write to <a href={`mailto:${contact.email}`}>{contact.email}</a>.
    </p>
  );
}

function readCredentials(form: HTMLFormElement): Credentials {
  const fields = new FormData(form);
  return { email: String(fields.get('email') ?? '').trim(), password: String(fields.get('password') ?? '') };
}

/** From the first letter on, an update must not reload what is being typed. */
function useBusyForm(): () => void {
  const [isDirty, setIsDirty] = useState(false);
  useEffect(() => (isDirty ? beginBusy('sign-in being typed') : undefined), [isDirty]);
  return () => setIsDirty(true);
}
