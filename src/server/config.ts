import * as z from 'zod/mini';
import { forEachHost, HOSTS, type Host } from '#contract/hosts.ts';
import { PASSWORD_LENGTH } from '#contract/identity/sign-in/schemas.ts';
import { hostVariable, servedHosts } from '#contract/served-hosts.ts';
import { findSimilarName } from './core/similar-name.ts';
import { parseSender, type Sender } from './mail/sender.ts';

const port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65535));
const hostName = z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/));
const days = (standard: number, least = 1) =>
  z._default(z.coerce.number().check(z.int(), z.gte(least), z.lte(36_500)), standard);
const optionalText = z._default(z.nullable(z.string()), null);

const hostNames = Object.fromEntries(
  HOSTS.map((host) => [hostVariable(host), z.optional(hostName)]),
) as Record<ReturnType<typeof hostVariable<Host>>, z.ZodMiniOptional<typeof hostName>>;

const EnvironmentSchema = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(port, 8080),
  METRICS_PORT: z._default(z.nullable(port), null),
  LISTEN_HOST: z._default(z.string(), '127.0.0.1'),
  PARENT_DOMAIN: z._default(hostName, 'ferry.localhost'),
  ...hostNames,
  PUBLIC_SCHEME: z._default(z.enum(['http', 'https']), 'http'),
  PUBLIC_PORT: z.optional(port),
  DATA_DIR: z._default(z.string(), 'data'),
  DATABASE_URL: z._default(z.nullable(z.string().check(z.regex(/^postgres(ql)?:\/\/\S+$/))), null),
  APP_SECRET: z._default(z.nullable(z.string().check(z.minLength(32))), null),
  APP_SECRET_PREVIOUS: z._default(z.string().check(z.regex(/^\s*(\S{32,}\s*)*$/)), ''),
  SMTP_URL: z._default(z.nullable(z.string().check(z.regex(/^smtps?:\/\/\S+$/))), null),
  MAIL_FROM: z._default(z.nullable(z.string()), null),
  STORAGE_ORIGIN: z._default(z.nullable(z.string().check(z.regex(/^https?:\/\/[^\s/?#]+$/))), null),
  STORAGE_BUCKET_URL: z._default(z.nullable(z.string().check(z.regex(/^https?:\/\/[^\s?#]+$/))), null),
  STORAGE_REGION: z._default(z.string(), 'us-east-1'),
  STORAGE_ACCESS_KEY_ID: optionalText,
  STORAGE_SECRET_ACCESS_KEY: optionalText,
  STRIPE_SECRET_KEY: optionalText,
  STRIPE_PUBLISHABLE_KEY: optionalText,
  STRIPE_WEBHOOK_SECRET: optionalText,
  PAYMENTS: z._default(z.nullable(z.enum(['sandbox', 'stripe'])), null),
  SMS: z._default(z.nullable(z.enum(['sandbox'])), null),
  SMS_URL: z._default(z.nullable(z.string().check(z.regex(/^https:\/\/[^\s@]+$/))), null),
  SMS_ACCOUNT: optionalText,
  SMS_KEY: optionalText,
  SMS_FROM: z._default(
    z.nullable(z.string().check(z.regex(/^(\+?[0-9]{3,15}|(?=.*[a-z])[a-z0-9 ]{1,11})$/i))),
    null,
  ),
  SMS_COUNTRY_CODE: z._default(z.nullable(z.string().check(z.regex(/^[1-9][0-9]{0,2}$/))), null),
  SMS_PER_DAY: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 2000),
  GTFS_REALTIME_URLS: z._default(z.string().check(z.regex(/^\s*(https?:\/\/\S+\s*)*$/)), ''),
  SENTRY_DSN: z._default(
    z.nullable(z.string().check(z.regex(/^https?:\/\/[^\s/@]+@[^\s/@]+\/.*\d+$/))),
    null,
  ),
  TRUST_PROXY: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(9)), 0),
  SERVICE_WORKER: z._default(z.enum(['on', 'off']), 'on'),
  WATCHDOG_SECONDS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(3600)), 60),
  DRAIN_SECONDS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(300)), 0),
  KEEP_ORDERS_DAYS: days(1095, 30),
  KEEP_MAILS_DAYS: days(30),
  KEEP_SECURITY_EVENTS_DAYS: days(548),
  KEEP_PRIVACY_LOG_DAYS: days(1095),
  KEEP_PASSENGER_LISTS_HOURS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(720)), 24),
  REFUND_LIMIT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 200),
  PASSWORD_MIN_LENGTH: z._default(
    z.coerce.number().check(z.int(), z.gte(PASSWORD_LENGTH.min), z.lte(64)),
    PASSWORD_LENGTH.min,
  ),
});

/** The configuration from the environment. Only this file reads the environment. */
export type Config = {
  isProduction: boolean;
  port: number;
  listenHost: string;
  /** Port of `/metrics`; null: none. */
  metricsPort: number | null;
  parentDomain: string;
  dataDir: string;
  databaseUrl: string | null;
  /** Null: generated at the first start and stored in the database. */
  appSecret: string | null;
  /** Secrets that are being replaced, or will be. */
  previousSecrets: readonly string[];
  origins: Record<Host | 'pay' | 'mail' | 'push' | 'sms' | 'storage' | 'front', string>;
  /** The S3-compatible bucket that the published settings are uploaded to; null: none. */
  storageUpload: { bucketUrl: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
  smtpUrl: string | null;
  mailFrom: Sender;
  /** Keys of the real provider; null: use the sandbox. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string } | null;
  /** Null: no text messages. */
  sms: SmsConfig | null;
  /** The operator's GTFS-Realtime feeds of trip updates and alerts. */
  realtimeUrls: readonly string[];
  sentryDsn: string | null;
  /** Number of trusted proxies in front that append the client's address to X-Forwarded-For; 0: none. */
  proxyHops: number;
  /**
   * How many days data about persons is kept: orders after their last sailing, mails after they were sent, events of an
   * account's security, and the log of exports and erasures.
   */
  keepDays: {
    orders: number;
    mails: number;
    securityEvents: number;
    privacyLog: number;
    passengerListHours: number;
  };
  /** What one person may refund of an order beyond its fare's rules, in whole units of its currency. */
  refundLimit: number;
  /** Minimum length of a new password, in code points. */
  passwordMinLength: number;
  /** How long the event loop may be blocked before the process is killed; 0: for any time. */
  watchdogSeconds: number;
  /** How long a process that was asked to stop goes on serving, so that proxies notice that it is not ready. */
  drainSeconds: number;
  /** False unregisters the service worker on every device that visits. */
  hasWorker: boolean;
  /** Variables of the environment whose names are close to one that is read and not set. */
  misspelled: readonly { name: string; meant: string }[];
};

/** The account at a provider of text messages, and the limits of their use. */
export type SmsConfig = {
  /** Where messages are posted to. */
  url: string;
  account: string;
  key: string;
  /** A number or a name of up to 11 characters. */
  from: string;
  isStandIn: boolean;
  /** Of numbers without one: `47`; null: such numbers get no messages. */
  countryCode: string | null;
  /** How many messages may be sent within 24 hours. */
  perDay: number;
};

/** The environment contains an invalid value or combination. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment once.
 * @throws {ConfigError} naming the variable and the values it accepts
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = EnvironmentSchema.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    throw new ConfigError(
      `These environment variables are not understood: ${names}. docs/operating.md lists their values.`,
    );
  }
  const env = parsed.data;
  const isProduction = env.NODE_ENV === 'production';
  const publicPort = env.PUBLIC_PORT ?? env.PORT;
  refuseProblems([
    () => readHosts(env),
    () => readStorageUpload(env),
    () => readMailFrom(env),
    () => readStripe(env, isProduction),
    () => readSms(env, ''),
  ]);
  const hosts = readHosts(env);
  const origin = (name: string) => buildOrigin(env.PUBLIC_SCHEME, name, publicPort);
  const smsOrigin = origin(`sms.${env.PARENT_DOMAIN}`);
  return {
    isProduction,
    port: env.PORT,
    listenHost: env.LISTEN_HOST,
    metricsPort: env.METRICS_PORT,
    parentDomain: env.PARENT_DOMAIN,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    appSecret: env.APP_SECRET,
    previousSecrets: env.APP_SECRET_PREVIOUS.split(/\s+/).filter(Boolean),
    origins: {
      ...forEachHost((host) => origin(hosts[host])),
      pay: origin(`pay.${env.PARENT_DOMAIN}`),
      mail: origin(`mail.${env.PARENT_DOMAIN}`),
      push: origin(`push.${env.PARENT_DOMAIN}`),
      sms: smsOrigin,
      storage: env.STORAGE_ORIGIN ?? origin(`storage.${env.PARENT_DOMAIN}`),
      front: origin('localhost'),
    },
    storageUpload: readStorageUpload(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: readMailFrom(env),
    stripe: readStripe(env, isProduction),
    sms: readSms(env, smsOrigin),
    realtimeUrls: env.GTFS_REALTIME_URLS.split(/\s+/).filter(Boolean),
    sentryDsn: env.SENTRY_DSN,
    proxyHops: env.TRUST_PROXY,
    keepDays: {
      orders: env.KEEP_ORDERS_DAYS,
      mails: env.KEEP_MAILS_DAYS,
      securityEvents: env.KEEP_SECURITY_EVENTS_DAYS,
      privacyLog: env.KEEP_PRIVACY_LOG_DAYS,
      passengerListHours: env.KEEP_PASSENGER_LISTS_HOURS,
    },
    refundLimit: env.REFUND_LIMIT,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    watchdogSeconds: env.WATCHDOG_SECONDS,
    drainSeconds: env.DRAIN_SECONDS,
    hasWorker: env.SERVICE_WORKER === 'on',
    misspelled: findMisspelled(given),
  };
}

function findMisspelled(given: Record<string, unknown>): { name: string; meant: string }[] {
  const unset = Object.keys(EnvironmentSchema.shape).filter((name) => !(name in given));
  return Object.keys(given)
    .filter((name) => !(name in EnvironmentSchema.shape))
    .flatMap((name) => {
      const meant = findSimilarName(name, unset);
      // Names of four letters, such as PORT, resemble variables of other programs.
      return meant === null || meant.length <= 4 ? [] : [{ name, meant }];
    });
}

/**
 * Runs all checks, so that one start names all problems.
 * @throws {ConfigError}
 */
function refuseProblems(checks: readonly (() => unknown)[]): void {
  const problems = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return [error.message];
      throw error;
    }
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

/** Sessions and passkeys belong to the parent domain, so every host has to be in it. */
function readHosts(env: z.infer<typeof EnvironmentSchema>): Record<Host, string> {
  const parent = env.PARENT_DOMAIN;
  const byDefault = forEachHost((host) => `${servedHosts[host].subdomain}.${parent}`);
  const hosts = forEachHost((host) => env[hostVariable(host)] ?? byDefault[host]);
  const names = Object.values(hosts);
  const areInside = names.every((name) => name === parent || name.endsWith(`.${parent}`));
  if (areInside && new Set(names).size === names.length) return hosts;
  const list = (texts: readonly string[]) => new Intl.ListFormat('en-US').format(texts);
  throw new ConfigError(
    `${list(HOSTS.map(hostVariable))} are different names in PARENT_DOMAIN, such as ${list(Object.values(byDefault))}.`,
  );
}

function buildOrigin(scheme: 'http' | 'https', host: string, publicPort: number): string {
  const isDefault = publicPort === (scheme === 'http' ? 80 : 443);
  return `${scheme}://${host}${isDefault ? '' : `:${publicPort}`}`;
}

function readStorageUpload(env: z.infer<typeof EnvironmentSchema>): Config['storageUpload'] {
  const {
    STORAGE_ORIGIN: origin,
    STORAGE_BUCKET_URL: bucketUrl,
    STORAGE_ACCESS_KEY_ID: accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  if (bucketUrl === null && accessKeyId === null && secretAccessKey === null) return null;
  if (origin && bucketUrl && accessKeyId && secretAccessKey)
    return { bucketUrl, region: env.STORAGE_REGION, accessKeyId, secretAccessKey };
  throw new ConfigError(
    'Set STORAGE_BUCKET_URL, STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY together, and STORAGE_ORIGIN to where browsers find the bucket.',
  );
}

function readMailFrom({ MAIL_FROM, PARENT_DOMAIN }: z.infer<typeof EnvironmentSchema>): Sender {
  if (MAIL_FROM === null) return { name: null, address: `tickets@${PARENT_DOMAIN}` };
  const sender = parseSender(MAIL_FROM);
  if (sender) return sender;
  throw new ConfigError(
    'MAIL_FROM is one address, alone or with a name: Harbor Line <tickets@example.com>. ' +
      'A name with commas or other special characters is put in double quotes.',
  );
}

function readStripe(env: z.infer<typeof EnvironmentSchema>, isProduction: boolean): Config['stripe'] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = env;
  const given = [secretKey, publishableKey, webhookSecret].filter((value) => value !== null).length;
  if (env.PAYMENTS === 'sandbox') {
    if (secretKey?.startsWith('sk_live_'))
      throw new ConfigError('PAYMENTS=sandbox takes no live keys; unset STRIPE_SECRET_KEY.');
    return null;
  }
  if (secretKey && publishableKey && webhookSecret) {
    const isMisplaced =
      !secretKey.startsWith('sk_') ||
      !publishableKey.startsWith('pk_') ||
      !webhookSecret.startsWith('whsec_');
    if (isMisplaced) {
      throw new ConfigError(
        'STRIPE_SECRET_KEY begins with sk_, STRIPE_PUBLISHABLE_KEY with pk_ and STRIPE_WEBHOOK_SECRET with whsec_.',
      );
    }
    if (secretKey.startsWith('sk_live_') !== publishableKey.startsWith('pk_live_')) {
      throw new ConfigError(
        'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are both live keys, or both test keys. One of each was given.',
      );
    }
    return { secretKey, publishableKey, webhookSecret };
  }
  if (given > 0) {
    throw new ConfigError(
      'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET together.',
    );
  }
  if (isProduction || env.PAYMENTS === 'stripe') {
    throw new ConfigError(
      'Production needs the STRIPE_ keys. To run on test payments on purpose, set PAYMENTS=sandbox.',
    );
  }
  return null;
}

function readSms(env: z.infer<typeof EnvironmentSchema>, standInOrigin: string): SmsConfig | null {
  const { SMS_URL: url, SMS_ACCOUNT: account, SMS_KEY: key, SMS_FROM: from } = env;
  const limits = { countryCode: env.SMS_COUNTRY_CODE, perDay: env.SMS_PER_DAY };
  if (env.SMS === 'sandbox') {
    // Its page shows telephone numbers and links to orders to every visitor.
    if (env.STRIPE_SECRET_KEY !== null)
      throw new ConfigError('SMS=sandbox is for test payments only; unset it, or the STRIPE_ keys.');
    const sandbox = { account: 'sandbox', key: 'sandbox', from: 'Gangway', isStandIn: true };
    return { url: `${standInOrigin}/2010-04-01/Accounts/sandbox/Messages.json`, ...sandbox, ...limits };
  }
  if ([url, account, key, from].every((value) => value === null)) return null;
  if (url && account && key && from) return { url, account, key, from, isStandIn: false, ...limits };
  throw new ConfigError('Set SMS_URL, SMS_ACCOUNT, SMS_KEY and SMS_FROM together.');
}
