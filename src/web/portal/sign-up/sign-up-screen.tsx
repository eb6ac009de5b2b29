import { useState } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import type { Registration } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CheckYourEmail } from '../forms/check-your-email.tsx';
import { NarrowPage, SmallPrint } from '../forms/narrow-page.tsx';
import { useLeaveWhenSignedIn } from '../sign-in/use-sign-in.ts';
import { REGISTRATION_DRAFT, useRegistrationForm } from './registration-form.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { startRegistration } from './started-registration.ts';

export function SignUpScreen() {
  const { brand } = useSettings();
  const [sent, setSent] = useState<Registration | null>(null);
  const form = useRegistrationForm(setSent);
  const { name, email, phone } = form.values;
  useLeaveWhenSignedIn(sent !== null);
  usePersistedDraft(REGISTRATION_DRAFT, () =>
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
          <SignUpForm form={form} />
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
