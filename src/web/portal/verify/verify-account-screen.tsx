import { useNavigate, useParams } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { verifyAccount } from '#web/platform/api/sign-in.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { MailedLink } from './mailed-link.tsx';

export function VerifyAccountScreen() {
  const { token } = useParams();
  const { brand } = useSettings();
  const navigate = useNavigate();

  async function leadToSignIn() {
    await navigate(portalPages.signIn, { replace: true });
    notify('Your account is ready. Sign in to see it.', { type: 'success' });
  }

  return (
    <MailedLink
      title="Confirm your account"
      intro={`This completes your ${brand.name} account. Orders made with this email address will be in it.`}
      button="Confirm my account"
      token={token ?? null}
      act={verifyAccount}
      onDone={leadToSignIn}
      instead={<ButtonLink to={portalPages.signUp}>Create an account</ButtonLink>}
    />
  );
}
