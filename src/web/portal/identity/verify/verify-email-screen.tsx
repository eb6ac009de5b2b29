import { useState } from 'react';
import { verifyEmailChange } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { LinkDone, MailedLink, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { reloadProfile } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import { useSession } from '#web/platform/session/session.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';

/** The link alone decides whose address changes; this browser may be signed out, or signed in as another customer. */
export function VerifyEmailScreen() {
  const token = useMailedToken();
  const [newEmail, setNewEmail] = useState<string | null>(null);
  const { isAuthenticated } = useSession();
  if (newEmail !== null) {
    return (
      <LinkDone
        title={t('Your email address is changed')}
        intro={rich('Your account now uses <address>{email}</address>.', {
          address: () => <StrongAddress>{newEmail}</StrongAddress>,
          email: newEmail,
        })}
      >
        {isAuthenticated ? (
          <ButtonLink to={portalPages.account}>{t('My Account')}</ButtonLink>
        ) : (
          <ButtonLink to={portalPages.signIn}>{t('Sign in')}</ButtonLink>
        )}
      </LinkDone>
    );
  }

  async function finish({ email }: { email: string }) {
    setNewEmail(email);
    void reloadProfile();
  }

  return (
    <MailedLink
      title={t('Confirm your new email address')}
      intro={t(
        'You’ll sign in with this address, and our emails will go there. Your other devices will be signed out.',
      )}
      button={t('Use this address')}
      token={token}
      act={(token) => request(verifyEmailChange, { body: { token } })}
      onDone={finish}
      instead={<ButtonLink to={portalPages.account}>{t('My Account')}</ButtonLink>}
    />
  );
}
