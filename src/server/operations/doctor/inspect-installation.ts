import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { describeDoubleBooking } from '#domain/sailings/double-bookings.ts';
import { countDays } from '#domain/time/days.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import { readLastBackup } from '#server/backups/last-backup.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { queryRows } from '#server/database/database.ts';
import { fares, feed, ports, vessels } from '#server/database/schema/timetable.ts';
import { findTimetableOwner, readDemoSettings } from '#server/demo/demo-timetable.ts';
import { findMissingCharacters } from '#server/documents/pdf-fonts.ts';
import { findDoubleBookings, readLastDay } from '#server/sailings/double-bookings.ts';
import { operatorDay } from '#server/sailings/operator.ts';
import { readGeneratedSecret } from '#server/secrets.ts';
import { loadSettings } from '#server/settings/web-settings.ts';
import { type Finding, findingIf, sortFindings } from './finding.ts';
import { inspectAuditLog } from './inspect-audit-log.ts';
import { inspectProviderPayouts } from './inspect-payouts.ts';
import { inspectTranslations } from './inspect-translations.ts';

type Inspected = Pick<Context, 'config' | 'db' | 'clock'>;

const BACKUP_DAYS = 2;

const OPERATOR_SETTINGS = ['brand.name', 'contact.phone', 'contact.email', 'terms.text'];
/** Values that are wrong for every operator but the demo's. */
const DEMO_SETTINGS = [
  ...OPERATOR_SETTINGS,
  'contact.url',
  'legal.privacy_url',
  'legal.imprint_url',
  'legal.accessibility_url',
];

/** What is wrong or missing as far as configuration, database and disk show. Asks no other machine. */
export async function inspectInstallation(context: Inspected): Promise<Finding[]> {
  const findings = await Promise.all([
    inspectEnvironment(context.config),
    inspectSettings(context),
    inspectTimetable(context),
    inspectDemo(context),
    inspectMails(context),
    inspectWebhooks(context),
    inspectDueRefunds(context),
    inspectProviderPayouts(context),
    inspectBackups(context),
    inspectAuditLog(context),
    inspectSecrets(context),
    inspectZones(context),
    inspectFonts(context),
    inspectTranslations(context),
  ]);
  return sortFindings(findings.flat());
}

/** What is wrong or missing without a look into the database. */
export async function inspectEnvironment(config: Config): Promise<Finding[]> {
  return [...inspectConfig(config), ...(await inspectStorage(config))];
}

function inspectConfig({ origins, stripe, ...config }: Config): Finding[] {
  const isSecure = origins.tickets.startsWith('https:');
  return [
    ...findingIf(stripe === null, {
      severity: 'error',
      problem: 'Payments are simulated: tickets are sold and no money comes in.',
      remedy: 'Set the three STRIPE_ keys, and unset PAYMENTS.',
    }),
    ...findingIf(stripe?.secretKey.startsWith('sk_test_') ?? false, {
      severity: 'error',
      problem: 'The keys of the card provider are test keys, so no money comes in.',
      remedy: 'Set the live keys before you open.',
    }),
    ...findingIf(config.smtpUrl === null, {
      severity: 'error',
      problem: 'Mails reach no customer: they are kept in an inbox of this server.',
      remedy: 'Set SMTP_URL.',
    }),
    ...findingIf(!isSecure, {
      severity: 'error',
      problem: `Customers reach the product without encryption, at ${origins.tickets}.`,
      remedy: 'Put a proxy with TLS in front and set PUBLIC_SCHEME=https and PUBLIC_PORT=443.',
    }),
    ...findingIf(isSecure && config.proxyHops === 0, {
      severity: 'warning',
      problem: 'All visitors count as one in rate limits, because TRUST_PROXY is 0 behind a proxy.',
      remedy: 'Set it to the number of proxies that append to X-Forwarded-For.',
    }),
    ...findingIf(config.appSecret === null, {
      severity: 'warning',
      problem: 'The secret that encrypts keys and codes lies in the database beside them.',
      remedy: 'Set APP_SECRET, and run "npm run keys:rotate -- secret".',
    }),
    ...findingIf(config.misspelled.length > 0, {
      severity: 'warning',
      problem: `These variables are not read: ${config.misspelled.map(({ name, meant }) => `${name} (${meant}?)`).join(', ')}.`,
      remedy: 'Correct their names, see docs/operating.md.',
    }),
    ...findingIf(config.databaseUrl === null, {
      severity: 'warning',
      problem: 'The embedded database serves one process only.',
      remedy: 'Set DATABASE_URL to a PostgreSQL database.',
    }),
  ];
}

async function inspectStorage({ dataDir }: Config): Promise<Finding[]> {
  const folder = join(dataDir, 'storage');
  const code = await findWriteProblem(folder);
  const mode = await stat(dataDir).then(
    (stats) => (stats.isDirectory() ? stats.mode : 0),
    () => 0,
  );
  return [
    ...findingIf(code !== null, {
      severity: 'error',
      problem: `${folder} cannot be written (${code}), so changed settings are not published.`,
      remedy: 'Give the process write access to DATA_DIR, and check the disk.',
    }),
    ...findingIf((mode & 0o077) !== 0, {
      severity: 'warning',
      problem: `Other users of this machine can read ${dataDir}, because it belongs to another user than the process.`,
      remedy: `Give the folder to the user of the process and run: chmod 700 ${dataDir}`,
    }),
  ];
}

/** Why a folder cannot be written, or not be created in the nearest one that exists; null: it can. */
async function findWriteProblem(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const parent = dirname(folder);
    return code === 'ENOENT' && parent !== folder ? findWriteProblem(parent) : code;
  }
}

async function inspectSettings({ db }: Inspected): Promise<Finding[]> {
  const { settings, sources } = await loadSettings(db);
  const demo = await readDemoSettings();
  const missing = OPERATOR_SETTINGS.filter((path) => sources.get(path) === 'default');
  const copied = DEMO_SETTINGS.filter((path) =>
    isDeepStrictEqual(readField(settings, path), readField(demo, path)),
  );
  const remedy = 'Set them with "npm run settings -- set FILE".';
  return [
    ...findingIf(copied.length > 0, {
      severity: 'error',
      problem: `These settings are those of the demo operator: ${copied.join(', ')}.`,
      remedy,
    }),
    ...findingIf(missing.length > 0, {
      severity: missing.includes('terms.text') ? 'error' : 'warning',
      problem: `These settings are not set: ${missing.join(', ')}.`,
      remedy,
    }),
  ];
}

/** The value at a path such as `brand.name`. */
function readField(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
}

async function inspectTimetable(context: Inspected): Promise<Finding[]> {
  const [imported] = await context.db
    .select({ until: feed.windowUntil, windowDays: feed.windowDays })
    .from(feed);
  if (!imported) {
    return [
      {
        severity: 'error',
        problem: 'There is no timetable, so nothing can be bought.',
        remedy: 'Import one with "npm run import -- FOLDER_OR_ZIP".',
      },
    ];
  }
  const today = await operatorDay(context);
  const daysLeft = countDays(today, imported.until);
  const until = await readLastDay(context.db, today);
  const doubleBookings = await findDoubleBookings(context.db, { from: today, until });
  return [
    ...doubleBookings.map((each) => ({
      severity: 'error' as const,
      problem: `${describeDoubleBooking(each)}.`,
      remedy: 'Change assignments.csv and import again, or use "npm run sailings".',
    })),
    ...findingIf((await context.db.$count(fares)) === 0, {
      severity: 'error',
      problem: 'There are no fares, so nothing can be bought.',
      remedy: 'Import the timetable again with a fares.csv beside it.',
    }),
    ...findingIf(daysLeft < Math.min(30, imported.windowDays - 2), {
      severity: daysLeft < 7 ? 'error' : 'warning',
      problem: `The last sailing on sale is on ${imported.until}.`,
      remedy: 'Import the timetable that follows.',
    }),
  ];
}

async function inspectDemo({ db }: Inspected): Promise<Finding[]> {
  const [counts] = await queryRows<{ customers: number; cards: number }>(
    db,
    sql`
      select (select count(*) from customers where is_demo)::int as customers,
        (select count(*) from trip_cards where is_demo)::int as cards`,
  );
  const isSold = (await findTimetableOwner(db)) === 'demo';
  const hasData = (counts?.customers ?? 0) + (counts?.cards ?? 0) > 0;
  return [
    ...findingIf(isSold, {
      severity: 'error',
      problem: 'The sailings on sale are those of the demo operator.',
      remedy: 'Import your own timetable, then run "npm run demo:remove".',
    }),
    ...findingIf(hasData && !isSold, {
      severity: 'warning',
      problem: 'The demo customer or trip cards of the demo are still there.',
      remedy: 'Run "npm run demo:remove".',
    }),
  ];
}

/** Mails of the last day that no server accepted. */
async function inspectMails({ db, clock }: Inspected): Promise<Finding[]> {
  const since = new Date(clock.now().getTime() - 24 * 3_600_000).toISOString();
  const [counts] = await queryRows<{ failed: number; late: number }>(
    db,
    sql`
      select count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'queued' and attempts > 2)::int as late
      from mails where inserted_at > ${since}::timestamptz`,
  );
  const { failed = 0, late = 0 } = counts ?? {};
  return findingIf(failed + late > 0, {
    severity: 'warning',
    problem: `Of the mails of the last 24 hours, ${failed} were refused and ${late} wait after several tries.`,
    remedy: 'Look for "mail" in the log, and check the mail server and the addresses.',
  });
}

async function inspectDueRefunds({ db, clock }: Inspected): Promise<Finding[]> {
  const since = new Date(clock.now().getTime() - 7 * 24 * 3_600_000).toISOString();
  const [row] = await queryRows<{ due: number }>(
    db,
    sql`
      select count(*)::int as due from refunds
      where status = 'awaiting_payout' and inserted_at < ${since}::timestamptz`,
  );
  const due = row?.due ?? 0;
  return findingIf(due > 0, {
    severity: 'warning',
    problem: `${due} refunds of payments at the counter wait for more than a week to be paid out.`,
    remedy: 'List them with "npm run payments -- due".',
  });
}

/** Payments settle without webhooks too, only later, so lost webhooks are noticed by nothing else. */
async function inspectWebhooks({ db, clock, config }: Inspected): Promise<Finding[]> {
  if (config.stripe === null) return [];
  const since = new Date(clock.now().getTime() - 7 * 24 * 3_600_000).toISOString();
  const [counts] = await queryRows<{ paid: number; events: number }>(
    db,
    sql`
      select
        (select count(*) from payments
          where method = 'card' and status = 'succeeded' and inserted_at > ${since}::timestamptz)::int as paid,
        (select count(*) from provider_events where received_at > ${since}::timestamptz)::int as events`,
  );
  const { paid = 0, events = 0 } = counts ?? {};
  return findingIf(paid > 0 && events === 0, {
    severity: 'error',
    problem: `The card provider charged ${paid} payments in a week, and none of its webhooks was accepted.`,
    remedy: `Send them to ${config.origins.tickets}/api/provider/webhooks, and check STRIPE_WEBHOOK_SECRET.`,
  });
}

async function inspectBackups({ db, clock }: Inspected): Promise<Finding[]> {
  const madeAt = await readLastBackup(db);
  const remedy = 'Run "npm run backup -- FILE" every day, see docs/operating.md.';
  if (madeAt === null) return [{ severity: 'error', problem: 'No backup was ever made.', remedy }];
  const days = (clock.now().getTime() - madeAt.getTime()) / 86_400_000;
  return findingIf(days > BACKUP_DAYS, {
    severity: 'error',
    problem: `The last backup is from ${madeAt.toISOString().slice(0, 10)}.`,
    remedy,
  });
}

/** The replacement of a secret is not complete as long as the earlier one is needed. */
async function inspectSecrets({ db, config }: Inspected): Promise<Finding[]> {
  const hasGenerated = config.appSecret !== null && (await readGeneratedSecret(db)) !== null;
  return findingIf(hasGenerated || config.previousSecrets.length > 0, {
    severity: 'warning',
    problem: 'APP_SECRET was replaced, and the earlier secret is still in use.',
    remedy: 'Run "npm run keys:rotate -- secret", then unset APP_SECRET_PREVIOUS.',
  });
}

/** Node and PostgreSQL each have a database of time zones; one that is out of date shifts times after a new rule. */
async function inspectZones({ db, clock }: Inspected): Promise<Finding[]> {
  const rows = await queryRows<{ zone: string; day: string; local: string }>(
    db,
    sql`
      select zones.zone, day::date::text as day,
        to_char(day at time zone 'UTC' at time zone zones.zone, 'YYYY-MM-DD"T"HH24:MI') as local
      from (select time_zone as zone from ports union select time_zone from feed) zones,
        generate_series(
          ${clock.now().toISOString()}::timestamptz at time zone 'UTC',
          (${clock.now().toISOString()}::timestamptz + interval '2 years') at time zone 'UTC', '1 week'
        ) as week, date_trunc('day', week) as day`,
  );
  const differing = rows.filter(
    ({ zone, day, local }) => formatLocalTime(Date.parse(`${day}T00:00:00Z`), zone).slice(0, 16) !== local,
  );
  const zones = [...new Set(differing.map(({ zone }) => zone))];
  return findingIf(zones.length > 0, {
    severity: 'error',
    problem: `Node (${process.versions.tz}) and the database have different rules for ${zones.join(', ')} from ${differing[0]?.day} on.`,
    remedy: 'Update the time zones (tzdata) of the database server, or Node.',
  });
}

/** Names of the timetable that printed tickets cannot show whole. */
async function inspectFonts({ db }: Inspected): Promise<Finding[]> {
  const named = [
    ...(await db.select({ name: ports.name }).from(ports)),
    ...(await db.select({ name: vessels.name }).from(vessels)),
  ];
  const missing = findMissingCharacters(named.map(({ name }) => name).join(''));
  return findingIf(missing.length > 0, {
    severity: 'warning',
    problem: `Names of ports or boats have characters that no installed font has: ${missing.slice(0, 20).join(' ')}.`,
    remedy: 'Install a font for them, see "Fonts of tickets" in docs/operating.md.',
  });
}
