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
