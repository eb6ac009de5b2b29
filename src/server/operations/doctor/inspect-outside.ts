import { HOSTS } from '#contract/hosts.ts';
import { hostVariable } from '#contract/served-hosts.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type Finding, findingIf, type Outside, sortFindings } from './finding.ts';
import { inspectPictures } from './inspect-pictures.ts';

const CARD_PROVIDER = 'https://api.stripe.com/';
const MAX_CLOCK_ERROR_MS = 30_000;

/** What is wrong or missing as seen from outside: names, proxy, mail server, its records, storage, pictures and clock. */
export async function inspectOutside(
  context: Pick<Context, 'config' | 'db' | 'clock'>,
  outside: Outside,
): Promise<Finding[]> {
  const findings = await Promise.all([
    inspectMachines(context, outside),
    inspectPublishedSettings(context, outside),
    inspectPictures(context, outside),
    inspectDatabaseClock(context, outside),
  ]);
  return sortFindings(findings.flat());
}

/** What is wrong or missing at other machines, without a look into the database. */
export async function inspectMachines(
  context: Pick<Context, 'config' | 'clock'>,
  outside: Outside,
): Promise<Finding[]> {
  const { config } = context;
  const findings = await Promise.all([
    ...HOSTS.map((host) => inspectHost(hostVariable(host), config.origins[host], outside)),
    inspectMailServer(config, outside),
    inspectSenderDomain(config, outside),
    inspectClock(context, outside),
  ]);
  return findings.flat();
}

/** Fetches the version through the proxy: another product, or a proxy that drops the Host header, answers otherwise. */
async function inspectHost(variable: string, origin: string, outside: Outside): Promise<Finding[]> {
  const answer = await outside
    .fetch(`${origin}/livez`)
    .then(
      async (response) =>
        response.ok && (await response.text()) === 'alive' ? null : `status ${response.status}`,
      describe,
    );
  if (answer === null) return [];
  return [
    {
      severity: 'error',
      problem: `${origin} does not reach this product (${answer}).`,
      remedy: `Check ${variable}, the name's DNS record, and that the proxy passes on the Host header.`,
    },
  ];
}

async function inspectMailServer({ smtpUrl }: Config, outside: Outside): Promise<Finding[]> {
  if (smtpUrl === null) return [];
  try {
    await outside.verifyMailServer(smtpUrl);
    return [];
  } catch (error) {
    return [
      {
        severity: 'error',
        problem: `The mail server takes no mail (${describe(error as Error)}).`,
        remedy: 'Check SMTP_URL: host, port, user and password.',
      },
    ];
  }
}

/** The DKIM record's name is chosen by the mail server, so only SPF and DMARC can be looked up. */
async function inspectSenderDomain({ smtpUrl, mailFrom }: Config, outside: Outside): Promise<Finding[]> {
  if (smtpUrl === null) return [];
  const domain = mailFrom.address.split('@').at(-1) ?? '';
  const [own, policy] = await Promise.all([
    outside.resolveTxt(domain),
    outside.resolveTxt(`_dmarc.${domain}`),
  ]);
  return [
    ...findingIf(!own.some((record) => /^v=spf1\b/i.test(record)), {
      severity: 'warning',
      problem: `${domain} has no SPF record, so many mailboxes refuse its mails.`,
      remedy: `Set a TXT record of ${domain}, such as "v=spf1 include:NAME-OF-YOUR-MAIL-SERVICE -all".`,
    }),
    ...findingIf(!policy.some((record) => /^v=DMARC1\b/i.test(record)), {
      severity: 'warning',
      problem: `${domain} has no DMARC record.`,
      remedy: `Set a TXT record of _dmarc.${domain}, such as "v=DMARC1; p=quarantine", and the DKIM record that your mail service shows.`,
    }),
  ];
}

async function inspectPublishedSettings(
  { config, db }: Pick<Context, 'config' | 'db'>,
  outside: Outside,
): Promise<Finding[]> {
  const url = `${config.origins.storage}/public/settings/web.json`;
  const published = await outside
    .fetch(url)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  const current = await loadWebSettings({ db });
  return findingIf(JSON.stringify(published) !== JSON.stringify(current), {
    severity: 'error',
    problem: `${url} does not have the current settings, so open pages keep old ones.`,
    remedy:
      config.storageUpload === null
        ? 'Let the proxy pass that name to this product, or set STORAGE_BUCKET_URL; check STORAGE_ORIGIN.'
        : 'Look for "settings not uploaded" in the log, and check STORAGE_ORIGIN and the STORAGE_ variables.',
  });
}

/** Compares with the card provider's clock, because holds, codes and signatures depend on the time. */
async function inspectClock(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  outside: Outside,
): Promise<Finding[]> {
  if (config.stripe === null) return [];
  const answer = await outside.fetch(CARD_PROVIDER).catch(() => null);
  if (answer === null) {
    return [
      {
        severity: 'error',
        problem: `The card provider cannot be reached at ${CARD_PROVIDER}.`,
        remedy: 'Allow this machine to open connections to it.',
      },
    ];
  }
  const theirs = Date.parse(answer.headers.get('date') ?? '');
  return compareClock(clock.now().getTime() - theirs, {
    problem: (seconds) => `The clock of this machine is ${seconds}.`,
    remedy: 'Synchronize it (NTP).',
  });
}

/** Processes with different clocks disagree about holds, sessions and codes, which the database's clock shows. */
async function inspectDatabaseClock(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  outside: Outside,
): Promise<Finding[]> {
  if (config.databaseUrl === null) return [];
  const theirs = await outside.readDatabaseTime();
  return compareClock(clock.now().getTime() - theirs.getTime(), {
    problem: (seconds) => `Compared with the database’s clock, that of this machine is ${seconds}.`,
    remedy: 'Synchronize both (NTP).',
  });
}

function compareClock(
  difference: number,
  { problem, remedy }: { problem: (seconds: string) => string; remedy: string },
): Finding[] {
  const seconds = `${Math.round(Math.abs(difference) / 1000)} seconds ${difference > 0 ? 'fast' : 'slow'}`;
  return findingIf(Math.abs(difference) > MAX_CLOCK_ERROR_MS, {
    severity: 'error',
    problem: problem(seconds),
    remedy,
  });
}

function describe(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}
