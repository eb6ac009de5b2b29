import { useNavigate, useParams } from 'react-router';
import { verifyAccount } from '#contract/identity/registration/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { MailedLink } from '#web/features/identity/mailed-link.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { AccountVerified } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { useSignIn } from '../sign-in/use-sign-in.ts';
import { findRegistration, forgetRegistration } from '../sign-up/started-registration.ts';

export function VerifyAccountScreen() {
  const { token } = useParams();
  const { brand } = useSettings();
  const navigate = useNavigate();
  const { proceed } = useSignIn({ resumes: false });

  async function finish({ email, token: session }: AccountVerified) {
    forgetRegistration();
    if (session === undefined) await navigate(portalPages.signIn, { replace: true, state: { email } });
    else await proceed({ token: session });
    notify(
      t(session === undefined ? 'Your account is ready. Sign in to see it.' : 'Your account is ready.'),
      { type: 'success' },
    );
  }

  return (
    <MailedLink
      title={t('Confirm your account')}
      intro={t('This completes your {brand} account. Orders made with this email address will be in it.', {
        brand: brand.name,
      })}
      button={t('Confirm my account')}
      token={token ?? null}
      act={(token) => verify(token, findRegistration())}
      onDone={finish}
      instead={<ButtonLink to={portalPages.signUp}>{t('Create an account')}</ButtonLink>}
    />
  );
}

/** Signs in only with the `temp` of a registration that this browser started. */
function verify(token: string, temp: string | null): Promise<AccountVerified> {
  return request(verifyAccount, { params: { token }, ...(temp === null ? {} : { body: { temp } }) });
}
