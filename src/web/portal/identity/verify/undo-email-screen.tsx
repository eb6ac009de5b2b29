import { useState } from 'react';
import { undoEmailChange } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import { checkSession } from '#web/platform/account/ping.ts';
import { request } from '#web/platform/api/request.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LinkDone, MailedLink, useMailedToken } from './mailed-link.tsx';

export function UndoEmailScreen() {
  const token = useMailedToken();
  const [restoredEmail, setRestoredEmail] = useState<string | null>(null);
  if (restoredEmail !== null) {
    return (
      <LinkDone
        title="Your old address stays"
        intro={
          <>
            Your account uses <StrongAddress>{restoredEmail}</StrongAddress>, and every device is signed out.
          </>
        }
      >
        <Stack>
          <p>Set a new password now. We’ll email you a link.</p>
          <ButtonLink to={portalPages.askForReset}>Set a new password</ButtonLink>
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
      title="Keep your old email address"
      intro="Someone asked to change your account’s email address. If it wasn’t you, stop it here."
      button="Keep my old address"
      token={token}
      act={(token) => request(undoEmailChange, { body: { token } })}
      onDone={finish}
      instead={<ButtonLink to={portalPages.askForReset}>Set a new password</ButtonLink>}
    >
      <p>
        To protect you, this signs out every device. It removes passkeys and authenticators added since then.
        Your password stops working too, so you’ll set a new one next.
      </p>
    </MailedLink>
  );
}
