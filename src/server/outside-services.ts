import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { type Config, ConfigError } from './config.ts';
import { systemClock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { OpenDatabase } from './database/database.ts';
import type { FetchHandler } from './http/hosts.ts';
import type { PaymentProvider } from './payments/provider/payment-provider.ts';
import { openStripe } from './payments/provider/stripe-provider.ts';
import type { PushStandIn } from './push/push-port.ts';
import { createHttpSmsSender } from './sms/http-sender.ts';
import type { SmsSender } from './sms/sms-port.ts';

type Payments = { provider: PaymentProvider; fetch: FetchHandler | null; stop(): Promise<void> };

/**
 * The real provider if its keys are configured, otherwise the stand-in, used through the same SDK. Stand-ins are loaded
 * only if they are used.
 */
export async function choosePayments(
  config: Config,
  { database, log }: { database: OpenDatabase; log: Log },
  deliverWebhook: (request: Request) => Promise<Response>,
): Promise<Payments> {
  if (config.stripe) {
    return { provider: openStripe(config.stripe, { log }), fetch: null, stop: async () => {} };
  }
  const { createCardProvider } = await import('#sandbox/card-provider/card-provider.ts');
  const standIn = createCardProvider({
    store: database.store,
    origin: config.origins.pay,
    merchantOrigins: HOSTS.filter((host) => servedHosts[host].takesPayments).map(
      (host) => config.origins[host],
    ),
    webhookUrl: `${config.origins.tickets}/api/provider/webhooks`,
    deliverWebhook,
    clock: systemClock.now,
    log: (message) => log.warn(message),
  });
  await standIn.start();
  const fetch = async (request: Request) => standIn.fetch(request);
  const scriptUrl = `${config.origins.pay}/endive/stripe.js`;
  const provider = openStripe(standIn.keys, { log, standIn: { fetch, scriptUrl } });
  return { provider, fetch, stop: () => standIn.stop() };
}

/** The configured SMTP server, otherwise the inbox stand-in that shows the mails. */
export async function chooseMail(
  config: Config,
  database: OpenDatabase,
): Promise<{ smtpUrl: string; fetch: FetchHandler | null; stop(): Promise<void> }> {
  if (config.smtpUrl) return { smtpUrl: config.smtpUrl, fetch: null, stop: async () => {} };
  const { createInbox } = await loadInbox();
  const inbox = createInbox({ store: database.store, clock: systemClock.now, origin: config.origins.mail });
  await inbox.start();
  return { smtpUrl: inbox.smtpUrl, fetch: (request) => inbox.fetch(request), stop: () => inbox.stop() };
}

/** The configured provider of text messages or its stand-in, used by the same protocol; none by default. */
export async function chooseSms(
  { sms }: Config,
  { store }: OpenDatabase,
): Promise<{ sender: SmsSender | null; fetch: FetchHandler | null }> {
  if (sms === null) return { sender: null, fetch: null };
  if (!sms.isStandIn) return { sender: createHttpSmsSender(sms), fetch: null };
  const { createSmsGateway } = await import('#sandbox/sms-gateway/sms-gateway.ts');
  const { start, fetch } = createSmsGateway({ store, ...sms, clock: systemClock.now });
  await start();
  return { sender: createHttpSmsSender(sms, fetch), fetch };
}

/** The stand-in of browsers' push services, beside which real ones are used. */
export async function openPushService(config: Config, { store }: OpenDatabase): Promise<PushStandIn> {
  const { createPushService } = await import('#sandbox/push-service/push-service.ts');
  const { push: origin } = config.origins;
  const { start, fetch } = createPushService({ store, origin, clock: systemClock.now });
  await start();
  return { origin, fetch };
}

/** @throws {ConfigError} if its packages are left out, as by a production install */
async function loadInbox() {
  try {
    return await import('#sandbox/inbox/inbox.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      'Set SMTP_URL: the inbox that shows mails needs packages that a production install leaves out.',
    );
  }
}
