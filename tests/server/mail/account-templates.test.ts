import { describe, expect, it } from 'vitest';
import { SECURITY_EVENT_KINDS } from '#contract/identity/security/schemas.ts';
import { readConfig } from '#server/config.ts';
import { escapeHtml } from '#server/core/markup.ts';
import type { AccountMailKind, AccountMessage } from '#server/mail/account-mails.ts';
import { renderHtml, renderText } from '#server/mail/mail-content.ts';
import { accountMailContent, isExpiredMail } from '#server/mail/templates/account.ts';
import { SECURITY_EVENT_TEXTS } from '#server/mail/templates/security-event.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { findHardSentences, textsOf } from '#tests/factories/wording.ts';

const EVIL = '<img src=x onerror=alert(1)>"\'&';
const { portal: origin, tickets: ticketOrigin, staff: staffOrigin } = readConfig({}).origins;
const link = `${origin}/somewhere#token=abc`;
const ticketLink = `${ticketOrigin}/shared_tickets/abc`;
const staffLink = `${staffOrigin}/invitation#token=abc`;
const LEGAL_URLS = Object.values(demoSettings.legal).toReversed();
const timeZone = 'America/Los_Angeles';
const requestedAt = new Date('2026-11-21T11:20:30Z');

const CARD = { name: EVIL, lastFour: '1234', unit: 'money', currency: 'USD' } as const;

const MESSAGES: { [Kind in AccountMailKind]: Extract<AccountMessage, { kind: Kind }> } = {
  'sign-in-code': { kind: 'sign-in-code', data: { code: '123456', link, device: EVIL } },
  'step-up-code': { kind: 'step-up-code', data: { code: '123456', device: EVIL } },
  'order-code': { kind: 'order-code', data: { code: '123456', reference: 'K7M4-QXP8', device: EVIL } },
  'tickets-shared': {
    kind: 'tickets-shared',
    data: { link: ticketLink, tickets: 2, sailings: [`${EVIL} → Bergen`] },
  },
  'staff-invitation': {
    kind: 'staff-invitation',
    data: { link: staffLink, role: 'manager' },
  },
  'no-account': { kind: 'no-account', data: { device: EVIL } },
  'confirm-account': { kind: 'confirm-account', data: { link } },
  'account-exists': { kind: 'account-exists', data: {} },
  'reset-password': { kind: 'reset-password', data: { link, device: EVIL } },
  'confirm-email-change': { kind: 'confirm-email-change', data: { link } },
  'email-taken': { kind: 'email-taken', data: {} },
  'email-change-asked': { kind: 'email-change-asked', data: { newEmail: EVIL, link, device: EVIL } },
  'email-changed': { kind: 'email-changed', data: { newEmail: EVIL, link, device: EVIL } },
  'email-change-undone': { kind: 'email-change-undone', data: {} },
  'security-event': {
    kind: 'security-event',
    data: { event: 'passkey_added', device: EVIL, at: '2026-11-21T11:20:30Z' },
  },
  'account-deleted': { kind: 'account-deleted', data: {} },
  'trip-card-low': { kind: 'trip-card-low', data: { ...CARD, balance: 400 } },
  'trip-card-topped-up': {
    kind: 'trip-card-topped-up',
    data: { ...CARD, amount: 2000, balance: 2400, receiptNumber: 'K7M4-QXPA' },
  },
  'trip-card-auto-stopped': {
    kind: 'trip-card-auto-stopped',
    data: { ...CARD, why: 'needs_card' },
  },
  'trip-card-disputed': {
    kind: 'trip-card-disputed',
    data: { ...CARD, amount: 2000, taken: 400, owed: 1600, source: 'refund' },
  },
  'trip-card-pass-bought': {
    kind: 'trip-card-pass-bought',
    data: {
      ...{ ...CARD, unit: 'trips', trips: 10, validUntil: '2027-11-21' },
      ...{ paid: 7400, receiptNumber: 'K7M4-QXPA' },
    },
  },
  'trip-card-pass-ends': {
    kind: 'trip-card-pass-ends',
    data: { ...CARD, unit: 'trips', trips: 3, validUntil: '2027-11-21', days: 30 },
  },
  'trip-card-lost': {
    kind: 'trip-card-lost',
    data: { ...CARD, newLastFour: '5678' },
  },
  'trip-card-shared': { kind: 'trip-card-shared', data: {} },
};
const KINDS = Object.keys(MESSAGES) as AccountMailKind[];

describe('account mails', () => {
  it.each(KINDS)('of the kind %s have the same content as text and as HTML', (kind) => {
    const { content } = write(MESSAGES[kind]);
    const html = renderHtml(content);
    const lines = renderText(content)
      .split('\n')
      .map((line) =>
        line
          .replace(
            /^(Device|Time|New address|Card|Balance|Added|Receipt|Disputed|Removed from the card|Still owed|Lost|Replaced by|Pass|Travel until|Paid|Tax|Your role): /,
            '',
          )
          .replace(/^- /, '')
          .replace(/:$/, ''),
      )
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '--' && !/^=+$/.test(line));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(html).toContain(escapeHtml(line));
  });

  it.each(['trip-card-topped-up', 'trip-card-pass-bought'] as const)(
    'of the kind %s say that tax is due when the card pays for tickets, as the books do',
    (kind) => {
      expect(renderText(write(MESSAGES[kind]).content)).toContain('Tax: Taxed when it pays for tickets');
    },
  );

  it.each(KINDS)('of the kind %s escape their data and load no resources', (kind) => {
    const html = renderHtml(write(MESSAGES[kind]).content);
    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/<table|<script|<link|url\(|@import/i);
    if (JSON.stringify(MESSAGES[kind]).includes('onerror')) expect(html).toContain(escapeHtml(EVIL));
  });

  it.each(KINDS)('of the kind %s have no sentence that is too long or negates twice', (kind) => {
    const { content } = accountMailContent(MESSAGES[kind], {
      settings: demoSettings,
      origin,
      ticketOrigin,
      staffOrigin,
      requestedAt,
      timeZone,
    });
    expect(textsOf(content).flatMap(findHardSentences)).toEqual([]);
  });

  it.each(KINDS)('of the kind %s link to our own pages and the operator’s legal pages alone', (kind) => {
    const { content } = write(MESSAGES[kind]);
    const links = [...renderHtml(content).matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url);
    const legal = LEGAL_URLS.map((url) => links.pop() === url);
    expect(legal).toEqual([true, true, true]);
    expect(links.every((url) => url.startsWith(`${origin}/`) || [ticketLink, staffLink].includes(url))).toBe(
      true,
    );
    const inText = [...renderText(content).matchAll(/https?:\S+/g)].map(([url]) => url);
    expect(inText).toEqual([...links, ...LEGAL_URLS.toReversed()]);
    if (JSON.stringify(MESSAGES[kind]).includes(link)) expect(links).toContain(link);
  });

  it('refuse a link to another site', () => {
    for (const elsewhere of ['https://evil.example/x', `${origin}.evil.example/`, 'javascript:alert(1)']) {
      expect(() => write({ kind: 'confirm-account', data: { link: elsewhere } })).toThrow();
    }
  });

  it('to unverified addresses contain no text from the request', () => {
    const words = KINDS.filter((kind) => ['no-account', 'confirm-account'].includes(kind)).map((kind) =>
      Object.keys(MESSAGES[kind].data),
    );
    // Device names come from a fixed list in the code.
    expect(words.flat().toSorted()).toEqual(['device', 'link']);
  });

  it.each(['sign-in-code', 'step-up-code'] as const)(
    'of the kind %s show the code in the subject, name device and time, and warn',
    (kind) => {
      const message = { kind, data: { code: '123456', link, device: 'Safari on iPhone' } } as AccountMessage;
      const { subject, content } = write(message);
      expect(subject).toMatch(/^123456 is your /);
      for (const body of [renderText(content), renderHtml(content)]) {
        expect(body).toContain('123456');
        expect(body).toContain('Safari on iPhone');
        expect(body).toContain('Nov 21, 2026, 3:20 AM PST');
        expect(body).toContain('We will never ask you for this code.');
        expect(body).toContain('10 minutes');
      }
    },
  );

  it.each(SECURITY_EVENT_KINDS)('about %s have no sentence that is too long or negates twice', (event) => {
    expect(findHardSentences(SECURITY_EVENT_TEXTS[event].sentence)).toEqual([]);
  });

  it.each(SECURITY_EVENT_KINDS)('about %s say what happened, where and when, and how to stop it', (event) => {
    const { subject, content } = write({
      kind: 'security-event',
      data: { event, device: 'Firefox on Linux', at: '2026-01-02T03:04:05Z' },
    });
    expect(subject).toBe(content.title);
    for (const body of [renderText(content), renderHtml(content)]) {
      for (const words of [
        'Firefox on Linux',
        'Jan 1, 2026, 7:04 PM PST',
        'This wasn’t me',
        `${origin}/password/reset`,
        `${origin}/security`,
      ]) {
        expect(body).toContain(words);
      }
    }
  });

  it('have distinct titles', () => {
    const titles = SECURITY_EVENT_KINDS.map(
      (event) =>
        write({ kind: 'security-event', data: { event, device: 'x', at: '2026-01-02T03:04:05Z' } }).subject,
    );
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('expire with their code or link, notifications never', () => {
    const later = (minutes: number) => new Date(requestedAt.getTime() + minutes * 60_000);
    expect(isExpiredMail('sign-in-code', requestedAt, later(9))).toBe(false);
    expect(isExpiredMail('sign-in-code', requestedAt, later(10))).toBe(true);
    expect(isExpiredMail('reset-password', requestedAt, later(29))).toBe(false);
    expect(isExpiredMail('reset-password', requestedAt, later(30))).toBe(true);
    expect(isExpiredMail('security-event', requestedAt, later(3000))).toBe(false);
    expect(isExpiredMail('order-confirmed', requestedAt, later(3000))).toBe(false);
  });
});

it.each([
  ['en-US', '$1,234.50', '10 trips'],
  ['de', '1.234,50\u00a0$', '10 Fahrten'],
  ['fr', '1\u202f234,50\u00a0$US', '10 trajets'],
])('write amounts of trip cards in %s', (language, money, trips) => {
  const input = {
    settings: { ...demoSettings, language },
    origin,
    ticketOrigin,
    staffOrigin,
    requestedAt,
    timeZone,
  };
  const low = { kind: 'trip-card-low', data: { ...CARD, balance: 123_450 } } as const;
  const ends = {
    kind: 'trip-card-pass-ends',
    data: { ...CARD, trips: 10, validUntil: null, days: 7 },
  } as const;
  expect(renderText(accountMailContent(low, input).content)).toContain(money);
  expect(renderText(accountMailContent(ends, input).content)).toContain(trips);
});

function write(message: AccountMessage) {
  return accountMailContent(message, {
    settings: demoSettings,
    origin,
    ticketOrigin,
    staffOrigin,
    requestedAt,
    timeZone,
  });
}

it('link to the operator’s legal pages that are set', () => {
  const legal = { ...demoSettings.legal, imprint_url: null };
  const input = {
    settings: { ...demoSettings, legal },
    origin,
    ticketOrigin,
    staffOrigin,
    requestedAt,
    timeZone,
  };
  const { content } = accountMailContent(MESSAGES['account-exists'], input);
  expect(renderHtml(content)).toMatch(
    /<a [^>]*href="https:\/\/harborline\.example\/privacy"[^>]*>Privacy<\/a>/,
  );
  expect(renderText(content)).toMatch(
    /\nPrivacy:\nhttps:\/\/harborline\.example\/privacy\nAccessibility:\nhttp/,
  );
});

it('show only the name in the footer if the operator has set no contact', () => {
  const { content } = accountMailContent(MESSAGES['no-account'], {
    settings: defaultWebSettings,
    origin,
    ticketOrigin,
    staffOrigin,
    requestedAt,
    timeZone,
  });
  expect(content.footer[0]).toBe('Ferry tickets');
});
