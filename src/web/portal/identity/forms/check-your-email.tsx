import { type ReactNode, useState } from 'react';
import { SentEmailPage, useScreenFocus } from '#web/features/identity/form-page.tsx';
import { findRetryTime, RESEND_AFTER_MS } from '#web/features/mailed-code/resend-button.tsx';
import { t } from '#web/language/texts.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { ResendEmail } from './resend-email.tsx';

type CheckYourEmailProps = {
  email: string;
  instruction: string;
  /** Sends the email again. */
  send: () => Promise<unknown>;
  onBack: () => void;
  smallPrint?: ReactNode;
};

/** Looks the same whether or not the address has an account, which only the email reveals. */
export function CheckYourEmail({ send, onBack, ...page }: CheckYourEmailProps) {
  useScreenFocus();
  const [resendAt, setResendAt] = useState(() => Date.now() + RESEND_AFTER_MS);
  const resend = useAction(send, {
    onDone: () => setResendAt(Date.now() + RESEND_AFTER_MS),
    onFailed: (failure) => setResendAt(findRetryTime(failure) ?? resendAt),
  });
  const site = findMailSite(page.email);
  return (
    <SentEmailPage {...page} cardTitle={t('No email yet?')}>
      <Stack>
        <p>
          {t('It can take a minute. Check your spam folder too.')}{' '}
          {site && (
            <a href={site.url} target="_blank" rel="noreferrer">
              {t('Open {site}', { site: site.name })}
            </a>
          )}
        </p>
        <ResendEmail resend={resend} availableAt={resendAt} onBack={onBack} />
      </Stack>
    </SentEmailPage>
  );
}

type MailSite = { name: string; url: string };

const GMAIL = { name: 'Gmail', url: 'https://mail.google.com/' };
const OUTLOOK = { name: 'Outlook', url: 'https://outlook.live.com/mail/' };
const ICLOUD = { name: 'iCloud Mail', url: 'https://www.icloud.com/mail' };

const SITES: Readonly<Record<string, MailSite>> = {
  'gmail.com': GMAIL,
  'googlemail.com': GMAIL,
  'outlook.com': OUTLOOK,
  'hotmail.com': OUTLOOK,
  'live.com': OUTLOOK,
  'icloud.com': ICLOUD,
  'me.com': ICLOUD,
  'yahoo.com': { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/' },
};

/** The site where mail to the address is read; null if the provider is not listed. */
export function findMailSite(email: string): MailSite | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return Object.hasOwn(SITES, domain) ? (SITES[domain] ?? null) : null;
}
