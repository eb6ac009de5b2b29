import { useNavigate, useParams } from 'react-router';
import { verifyAccount } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { request } from '#web/platform/api/request.ts';
import type { AccountVerified } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { useSignIn } from '../sign-in/use-sign-in.ts';
import { findRegistration, forgetRegistration } from '../sign-up/started-registration.ts';
import { MailedLink } from './mailed-link.tsx';

export function VerifyAccountScreen() {
  const { token } = useParams();
  const { brand } = useSettings();
  const navigate = useNavigate();
  const { proceed } = useSignIn({ resumes: false });

  async function finish({ email, token: session }: AccountVerified) {
    forgetRegistration();
    if (session === undefined) await navigate(portalPages.signIn, { replace: true, state: { email } });
    else await proceed({ token: session });
    const next = session === undefined ? ' Sign in to see it.' : '';
    notify(`Your account is ready.${next}`, { type: 'success' });
  }

  return (
    <MailedLink
      title="Confirm your account"
      intro={`This completes your ${brand.name} account. Orders made with this email address will be in it.`}
      button="Confirm my account"
      token={token ?? null}
      act={(token) => verify(token, findRegistration())}
      onDone={finish}
      instead={<ButtonLink to={portalPages.signUp}>Create an account</ButtonLink>}
    />
  );
}

/** Signs in only with the `temp` of a registration that this browser started. */
function verify(token: string, temp: string | null): Promise<AccountVerified> {
  return request(verifyAccount, { params: { token }, ...(temp === null ? {} : { body: { temp } }) });
}
