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

/** Where the mail of an address is read; null for providers that are not well known. */
export function mailSiteOf(email: string): MailSite | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return Object.hasOwn(SITES, domain) ? (SITES[domain] ?? null) : null;
}
