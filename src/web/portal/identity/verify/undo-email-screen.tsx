import { useState } from 'react';
import { undoEmailChange } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { LinkDone, MailedLink, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { checkSession } from '#web/platform/account/ping.ts';
import { request } from '#web/platform/api/request.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

export function UndoEmailScreen() {
  const token = useMailedToken();
  const [restoredEmail, setRestoredEmail] = useState<string | null>(null);
  if (restoredEmail !== null) {
    return (
      <LinkDone
        title={t('Your old address stays')}
        intro={rich('Your account uses <address>{email}</address>, and every device is signed out.', {
          address: () => <StrongAddress>{restoredEmail}</StrongAddress>,
          email: restoredEmail,
        })}
      >
        <Stack>
          <p>{t('Set a new password now. We’ll email you a link.')}</p>
          <ButtonLink to={portalPages.askForReset}>{t('Set a new password')}</ButtonLink>
        </Stack>
      </LinkDone>
    );
  }

  async function finish({ email }: { email: string }) {
    setRestoredEmail(email);
    // The server ended all sessions of the account, perhaps this browser's too.
    void checkSession();
  }

  return (
    <MailedLink
      title={t('Keep your old email address')}
      intro={t('Someone asked to change your account’s email address. If it wasn’t you, stop it here.')}
      button={t('Keep my old address')}
      token={token}
      act={(token) => request(undoEmailChange, { body: { token } })}
      onDone={finish}
      instead={<ButtonLink to={portalPages.askForReset}>{t('Set a new password')}</ButtonLink>}
    >
      <p>
        {t(
          'To protect you, this signs out every device. It removes passkeys and authenticators added since then. Your password stops working too, so you’ll set a new one next.',
        )}
      </p>
    </MailedLink>
  );
}
