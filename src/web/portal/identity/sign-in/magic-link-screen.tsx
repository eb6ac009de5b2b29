import { useState } from 'react';
import { useNavigate } from 'react-router';
import { signInWithLink } from '#contract/identity/sign-in/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { MailedLink, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { NextStep } from './next-step.tsx';
import { findChallenge } from './sign-in-challenge.ts';
import { useSignIn } from './use-sign-in.ts';

export function MagicLinkScreen() {
  const { brand } = useSettings();
  const token = useMailedToken();
  const [isSameBrowser] = useState(() => findChallenge()?.next === 'email_code');
  const { challenge, proceed, restart } = useSignIn({ resumes: false });
  const navigate = useNavigate();

  async function startOver(message?: string) {
    restart();
    await navigate(portalPages.signIn, { replace: true });
    if (message !== undefined) notify(message, { type: 'warning' });
  }

  if (challenge !== null) {
    return (
      <NextStep challenge={challenge} proceed={proceed} onRestart={(message) => void startOver(message)} />
    );
  }
  return (
    <MailedLink
      title={t('Sign in')}
      intro={t('You’ll be signed in to {brand} in this browser.', { brand: brand.name })}
      button={t('Sign in on this device')}
      token={token}
      act={(token) => request(signInWithLink, { body: { token } })}
      onDone={(outcome) => proceed(outcome, { isByMail: true })}
      instead={<ButtonLink to={portalPages.signIn}>{t('Sign in another way')}</ButtonLink>}
    >
      {!isSameBrowser && <RequestedElsewhere />}
    </MailedLink>
  );
}

/** On phones a mailed link opens the browser, not the installed app, where only the code helps. */
function RequestedElsewhere() {
  return (
    <Notice title={t('You asked for this email somewhere else')}>
      {t('To sign in there, type the code from the email. The button below signs you in here.')}
    </Notice>
  );
}
