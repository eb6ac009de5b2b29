import { useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useNavigate } from '#web/platform/router/use-router.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { NarrowPage } from '../forms/narrow-page.tsx';
import { LinkUseless } from '../verify/mailed-link.tsx';
import { useMailedToken } from '../verify/use-mailed-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';

export function NewPasswordScreen() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const [useless, setUseless] = useState<{ token: string; message: string } | null>(null);

  async function leadToSignIn() {
    await navigate(portalPages.signIn, { replace: true });
    notify('Your password is changed. Sign in with the new one. Every device was signed out.', {
      type: 'success',
    });
  }

  function renderBody() {
    if (token === null) return <AskAgain>This link is incomplete. Open it from the email again.</AskAgain>;
    if (useless?.token === token) return <AskAgain>{useless.message}</AskAgain>;
    return (
      <NewPasswordForm
        token={token}
        onDone={leadToSignIn}
        onExpired={(message) => setUseless({ token, message })}
      />
    );
  }

  return (
    <NarrowPage>
      <PageHeader
        title="Set a new password"
        intro="We’ll sign out every device. Then sign in with your new password."
      />
      <Card>{renderBody()}</Card>
    </NarrowPage>
  );
}

function AskAgain({ children }: { children: string }) {
  return (
    <Stack>
      <LinkUseless instead={<ButtonLink to={portalPages.askForReset}>Ask for a new link</ButtonLink>}>
        {children}
      </LinkUseless>
    </Stack>
  );
}
