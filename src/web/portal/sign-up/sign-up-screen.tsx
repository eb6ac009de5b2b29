import { useState } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { findDraft } from '#web/platform/updates/drafts.ts';
import { useDraftKept } from '#web/platform/updates/use-draft-kept.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeader } from '#web/ui/page.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { NarrowPage, SmallPrint } from '../forms/narrow-page.tsx';
import { useScreenFocus } from '../forms/use-screen-focus.ts';
import { NO_REGISTRATION, type RegistrationForm } from './registration-form.ts';
import { SignUpForm } from './sign-up-form.tsx';

const DRAFT = 'registration';

export function SignUpScreen() {
  const { brand } = useSettings();
  const [typed, setTyped] = useState<RegistrationForm>(() => ({ ...NO_REGISTRATION, ...findDraft(DRAFT) }));
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { name, email, phone } = typed;
  useDraftKept(DRAFT, () => (sentTo === null && name + email + phone !== '' ? { name, email, phone } : null));
  if (sentTo !== null) return <CheckYourMail email={sentTo} onBack={() => setSentTo(null)} />;
  return (
    <NarrowPage>
      <PageHeader
        title="Create an account"
        intro={`All your ${brand.name} orders and tickets in one place, on every device.`}
      />
      <Stack>
        <Card>
          <SignUpForm typed={typed} onType={setTyped} onSent={setSentTo} />
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

/** The same for an address that has an account: who owns it reads more in their mail. */
function CheckYourMail({ email, onBack }: { email: string; onBack: () => void }) {
  useScreenFocus();
  return (
    <NarrowPage>
      <PageHeader
        title="Check your email"
        intro={
          <>
            We sent an email to <strong>{email}</strong>. Follow the link in it to continue. It works for 24
            hours.
          </>
        }
      />
      <Stack>
        <Card title="Nothing there?">
          <Stack>
            <p>It can take a minute. Look in your spam folder too.</p>
            <div>
              <Button variant="secondary" onClick={onBack}>
                Use another address
              </Button>
            </div>
          </Stack>
        </Card>
        <SmallPrint>
          <p>
            Confirmed already? <Link to={portalPages.signIn}>Sign in</Link>
          </p>
        </SmallPrint>
      </Stack>
    </NarrowPage>
  );
}
