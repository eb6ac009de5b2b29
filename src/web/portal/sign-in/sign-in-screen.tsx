import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { pageConfig } from '#web/platform/page-config.ts';
import { hasSessionEnded, useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { findDraft } from '#web/platform/updates/drafts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { NarrowPage, SmallPrint } from '../forms/narrow-page.tsx';
import { NextStep } from './next-step.tsx';
import { type Credentials, SIGN_IN_DRAFT, SignInForm } from './sign-in-form.tsx';
import { useSignIn } from './use-sign-in.ts';

export function SignInScreen() {
  const { brand } = useSettings();
  const { challenge, proceed, restart } = useSignIn({ resumes: true });
  /** The address of an account confirmed in this tab. */
  const { state }: { state: { email?: string } | null } = useLocation();
  const [typed, setTyped] = useState<Credentials>(() => ({
    email: challenge?.email ?? findDraft(SIGN_IN_DRAFT)?.email ?? state?.email ?? '',
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
    return (
      <NarrowPage>
        <NextStep challenge={challenge} proceed={proceed} onRestart={goBack} />
      </NarrowPage>
    );
  }
  return (
    <NarrowPage>
      <PageHeader title="Sign in" intro={`See your ${brand.name} orders and tickets.`} />
      <Stack>
        <Reason message={message} />
        <Card>
          <SignInForm startsFocused={isBack} typed={typed} onTyped={setTyped} proceed={proceed} />
        </Card>
        <OtherWays />
      </Stack>
    </NarrowPage>
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
      {hasEnded ? 'Your session has ended. Please sign in again.' : 'Please sign in to open that page.'}
    </Notice>
  );
}

function OtherWays() {
  const canReach = useCanReach();
  const { origins } = pageConfig();
  return (
    <SmallPrint>
      <p>
        New here? <Link to={portalPages.signUp}>Create an account</Link>
      </p>
      <p>
        Bought without an account? <a href={`${origins.tickets}/?find=1`}>Find your tickets</a> with the
        order’s reference.
        {canReach && (
          <>
            {' '}
            For help with signing in, <ContactWays />.
          </>
        )}
      </p>
    </SmallPrint>
  );
}
