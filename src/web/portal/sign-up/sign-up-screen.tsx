import { useState } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';
import { NarrowPage, SmallPrint } from '../forms/narrow-page.tsx';
import { useLeaveWhenSignedIn } from '../sign-in/use-leave-when-signed-in.ts';
import { NO_REGISTRATION, type RegistrationForm } from './registration-form.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { startRegistration } from './started-registration.ts';

const DRAFT = 'registration';

export function SignUpScreen() {
  const { brand } = useSettings();
  const [typed, setTyped] = useState<RegistrationForm>(() => ({ ...NO_REGISTRATION, ...findDraft(DRAFT) }));
  const [sent, setSent] = useState<Registration | null>(null);
  const { name, email, phone } = typed;
  useLeaveWhenSignedIn(sent !== null);
  usePersistedDraft(DRAFT, () =>
    sent === null && name + email + phone !== '' ? { name, email, phone } : null,
  );
  if (sent !== null) {
    return (
      <CheckYourEmail
        email={sent.email}
        instruction="Open the link in it within 24 hours to continue."
        send={() => startRegistration(sent)}
        onBack={() => setSent(null)}
      >
        <SmallPrint>
          <p>
            Confirmed already? <Link to={portalPages.signIn}>Sign in</Link>
          </p>
        </SmallPrint>
      </CheckYourEmail>
    );
  }
  return (
    <NarrowPage>
      <PageHeader
        title="Create an account"
        intro={`All your ${brand.name} orders and tickets in one place, on every device.`}
      />
      <Stack>
        <Card>
          <SignUpForm typed={typed} onType={setTyped} onSent={setSent} />
        </Card>
        <SmallPrint>
          <p>
            Already have an account? <Link to={portalPages.signIn}>Sign in</Link>
          </p>
        </SmallPrint>
      </Stack>
    </NarrowPage>
  );
}
