import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

test('A new password has at least eight characters, or the operator’s minimum', () => {
  expect(readConfig({}).passwordMinLength).toBe(8);
  expect(readConfig({ PASSWORD_MIN_LENGTH: '' }).passwordMinLength).toBe(8);
  expect(readConfig({ PASSWORD_MIN_LENGTH: '15' }).passwordMinLength).toBe(15);
});

test.each(['7', '65', '8.5', 'long', '-8'])('A shortest password of %s is refused by name', (text) => {
  expect(() => readConfig({ PASSWORD_MIN_LENGTH: text })).toThrow(ConfigError);
  expect(() => readConfig({ PASSWORD_MIN_LENGTH: text })).toThrow('PASSWORD_MIN_LENGTH');
});

test('Error reports are sent to the DSN, which contains a key, a host and a project', () => {
  expect(readConfig({}).sentryDsn).toBeNull();
  expect(readConfig({ SENTRY_DSN: '' }).sentryDsn).toBeNull();
  const dsn = 'https://publickey@errors.example.com/7';
  expect(readConfig({ SENTRY_DSN: dsn }).sentryDsn).toBe(dsn);
});

test.each(['errors.example.com', 'https://errors.example.com/7', 'https://key@errors.example.com'])(
  'A DSN of %s is refused by name',
  (dsn) => {
    expect(() => readConfig({ SENTRY_DSN: dsn })).toThrow('SENTRY_DSN');
  },
);

test('Data is kept for the configured days, and orders for a month at least', () => {
  expect(readConfig({}).keepDays).toEqual({
    ...{ orders: 1095, mails: 30, securityEvents: 548, privacyLog: 1095 },
    passengerListHours: 24,
  });
  expect(readConfig({ KEEP_ORDERS_DAYS: '3650' }).keepDays.orders).toBe(3650);
  for (const days of ['29', 'long', '-1']) {
    expect(() => readConfig({ KEEP_ORDERS_DAYS: days })).toThrow('KEEP_ORDERS_DAYS');
  }
});

test('The number of trusted proxies is zero or the configured number', () => {
  expect(readConfig({}).proxyHops).toBe(0);
  expect(readConfig({ TRUST_PROXY: '1' }).proxyHops).toBe(1);
  expect(readConfig({ TRUST_PROXY: '3' }).proxyHops).toBe(3);
});

test.each(['-1', '10', '1.5', 'yes', '10.0.0.1'])('A number of trusted proxies of %s is refused', (text) => {
  expect(() => readConfig({ TRUST_PROXY: text })).toThrow('TRUST_PROXY');
});

test.each([
  ['tickets@example.com', null, 'tickets@example.com'],
  ['Harbor Line <tickets@example.com>', 'Harbor Line', 'tickets@example.com'],
  ['  Harbor Line   <tickets@example.com> ', 'Harbor Line', 'tickets@example.com'],
  ['"Line, Harbor" <tickets@example.com>', 'Line, Harbor', 'tickets@example.com'],
  ['"The \\"Line\\"" <tickets@example.com>', 'The "Line"', 'tickets@example.com'],
  ['Färjelinjen Åland 🛳 <biljett@example.com>', 'Färjelinjen Åland 🛳', 'biljett@example.com'],
  ['<tickets@example.com>', null, 'tickets@example.com'],
])('A sender of %s is kept as it is written', (text, name, address) => {
  expect(readConfig({ MAIL_FROM: text }).mailFrom).toEqual({ name, address });
});

test('Without a sender mails come from the tickets address of the domain', () => {
  const { mailFrom } = readConfig({ PARENT_DOMAIN: 'ferry.example' });
  expect(mailFrom).toEqual({ name: null, address: 'tickets@ferry.example' });
});

test.each([
  'Harbor Line',
  'Harbor Line tickets@example.com',
  'Harbor Line <tickets>',
  'Harbor, Line <tickets@example.com>',
  'one@example.com, two@example.com',
  'Harbor <one@example.com> <two@example.com>',
  '"Harbor <tickets@example.com>',
  'tickets@example.com\r\nBcc: victim@example.com',
  'Harbor\r\nBcc: victim@example.com <tickets@example.com>',
  'Harbor\u2028Line <tickets@example.com>',
])('A sender of %j is refused by name', (text) => {
  expect(() => readConfig({ MAIL_FROM: text })).toThrow(ConfigError);
  expect(() => readConfig({ MAIL_FROM: text })).toThrow('MAIL_FROM');
});

test('The hosts have the configured names', () => {
  const { origins } = readConfig({
    PARENT_DOMAIN: 'ferry.example',
    PORTAL_HOST: 'account.ferry.example',
    TICKETS_HOST: 'ferry.example',
    PUBLIC_SCHEME: 'https',
    PUBLIC_PORT: '443',
  });
  expect([origins.tickets, origins.portal]).toEqual([
    'https://ferry.example',
    'https://account.ferry.example',
  ]);
});

test.each([
  ['outside the parent domain', { PORTAL_HOST: 'my.other.example' }],
  ['that only ends like the parent domain', { PORTAL_HOST: 'my-ferry.example' }],
  ['that is the ticket host too', { PORTAL_HOST: 'tickets.ferry.example' }],
])('A portal host %s is refused', (_, hosts) => {
  expect(() => readConfig({ PARENT_DOMAIN: 'ferry.example', ...hosts })).toThrow('PORTAL_HOST');
});

test.each([
  ['DATABASE_URL', '127.0.0.1/gangway'],
  ['SMTP_URL', 'mail.example.com'],
  ['SMS_URL', 'http://sms.example.com/send'],
  ['SMS_FROM', 'Harbor Line Ferries'],
  ['STORAGE_ORIGIN', 'files.example.com'],
  ['STORAGE_ORIGIN', 'https://files.example.com/'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
});

test('Text messages are off without a provider, and need its whole account', () => {
  expect(readConfig({}).sms).toBeNull();
  const account = { SMS_URL: 'https://sms.example/send', SMS_ACCOUNT: 'AC1', SMS_KEY: 'key' };
  expect(() => readConfig(account)).toThrow('SMS_FROM');
  expect(readConfig({ ...account, SMS_FROM: 'Harbor Line', SMS_COUNTRY_CODE: '47' }).sms).toEqual({
    ...{ url: 'https://sms.example/send', account: 'AC1', key: 'key', from: 'Harbor Line' },
    ...{ isStandIn: false, countryCode: '47', perDay: 2000 },
  });
});

test('The stand-in of text messages, which shows them to everyone, is for test payments only', () => {
  expect(readConfig({ SMS: 'sandbox' }).sms).toMatchObject({ isStandIn: true });
  const keys = {
    STRIPE_SECRET_KEY: 'sk_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(() => readConfig({ SMS: 'sandbox', ...keys })).toThrow('SMS=sandbox');
});

test('All problems are named at once', () => {
  const read = () => readConfig({ NODE_ENV: 'production', MAIL_FROM: 'tickets', PORTAL_HOST: 'my.example' });
  for (const problem of ['MAIL_FROM', 'PORTAL_HOST', 'STRIPE_ keys']) expect(read).toThrow(problem);
});

test('Keys in each other’s place are refused', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'pk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(() => readConfig(keys)).toThrow('STRIPE_SECRET_KEY begins with sk_');
});

test('A live key beside a test key is refused', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(() => readConfig(keys)).toThrow('both live keys, or both test keys');
});

test('Variables whose names are nearly right are noticed, and those of other programs are not', () => {
  const { misspelled } = readConfig({
    STMP_URL: 'smtp://mail',
    TRUST_PROXYS: '1',
    PATH: '/bin',
    LANG: 'C',
    HOST: 'x',
  });
  expect(misspelled).toEqual([
    { name: 'STMP_URL', meant: 'SMTP_URL' },
    { name: 'TRUST_PROXYS', meant: 'TRUST_PROXY' },
  ]);
});
