import { useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { verifyEmailChange } from '#contract/registration/endpoints.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { reloadProfile } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import { useSession } from '#web/platform/session/session.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { NarrowPage } from '../forms/narrow-page.tsx';
import { useScreenFocus } from '../forms/use-screen-focus.ts';
import { MailedLink } from './mailed-link.tsx';
import { useMailedToken } from './use-mailed-token.ts';

/** The link decides whose address changes: it may be followed signed in, signed out, or as somebody else. */
export function VerifyEmailScreen() {
  const token = useMailedToken();
  const [newEmail, setNewEmail] = useState<string | null>(null);
  if (newEmail !== null) return <EmailChanged email={newEmail} />;

  async function finish({ email }: { email: string }) {
    setNewEmail(email);
    void reloadProfile();
  }

  return (
    <MailedLink
      title="Confirm your new email address"
      intro="You’ll sign in with this address, and our emails will go there. Your other devices will be signed out."
      button="Use this address"
      token={token}
      act={(token) => request(verifyEmailChange, { body: { token } })}
      onDone={finish}
      instead={<ButtonLink to={portalPages.account}>My Account</ButtonLink>}
    />
  );
}

function EmailChanged({ email }: { email: string }) {
  useScreenFocus();
  const { isAuthenticated } = useSession();
  return (
    <NarrowPage>
      <PageHeader
        title="Your email address is changed"
        intro={
          <>
            Your account now uses{' '}
            <strong>
              <EmailAddress>{email}</EmailAddress>
            </strong>
            .
          </>
        }
      />
      <Card>
        {isAuthenticated ? (
          <ButtonLink to={portalPages.account}>My Account</ButtonLink>
        ) : (
          <ButtonLink to={portalPages.signIn}>Sign in</ButtonLink>
        )}
      </Card>
    </NarrowPage>
  );
}
