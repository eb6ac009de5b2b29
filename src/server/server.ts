import type { Server } from 'node:http';
import { join } from 'node:path';
import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { createStorage } from '#sandbox/storage/storage.ts';
import { announce } from './announce.ts';
import { createApp } from './app.ts';
import { listenForCommands } from './commands/command-socket.ts';
import { commands } from './commands/commands.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Context } from './context.ts';
import { systemClock } from './core/clock.ts';
import type { ErrorReports } from './core/error-reports.ts';
import { loadRest } from './core/load-later.ts';
import { batchLines, createLog, describeError } from './core/log.ts';
import { noMetrics } from './core/metrics.ts';
import { keepFilesPrivate, makeDataPrivate } from './core/private-files.ts';
import { type OpenDatabase, openDatabase } from './database/database.ts';
import { createFolder, FolderInUseError, FolderUnwritableError } from './database/folder-lock.ts';
import { explainClosedDatabase } from './database/unavailable.ts';
import { closeDemo } from './demo/close-demo.ts';
import { loadDemo, registerDemoJobs } from './demo/demo.ts';
import { createGtfsHandler } from './gtfs/handler.ts';
import { dispatchByHost, drainBeforeStop, type FetchHandler, type Host } from './http/hosts.ts';
import { closeHttpServer, createHttpServer } from './http/http-server.ts';
import { freeUnansweredKeys } from './http/idempotency.ts';
import { defaultHeaders } from './http/security-headers.ts';
import { createJobs } from './jobs/jobs.ts';
import { createMailer } from './mail/mailer.ts';
import type { PrometheusMetrics } from './metrics/prometheus.ts';
import { readFigures } from './metrics/read-figures.ts';
import { inspectInstallation } from './operations/doctor/inspect-installation.ts';
import { createTicketSigner, keepSignerFresh } from './orders/tickets/keys.ts';
import { chooseMail, choosePayments, chooseSms, openPushService } from './outside-services.ts';
import { openPages } from './pages/pages.ts';
import { openPushSender } from './push/push-sender.ts';
import { wakeMessageWorkers } from './push/queue-pushes.ts';
import { registerJobs } from './register-jobs.ts';
import { openVault } from './secrets.ts';
import { createSettingsPublisher } from './settings/publish-settings.ts';

/** Matches requests to the API. Tested on the URL's text, because parsing a URL costs more than answering a ping. */
const API_URL = /^https?:\/\/[^/]+\/api(?:[/?]|$)/;

/** Matches requests for the published timetable. */
const GTFS_URL = /^https?:\/\/[^/]+\/gtfs\//;

/** Another process listens on the port, perhaps one that is about to stop. */
class PortTakenError extends Error {}

/** EX_CONFIG of sysexits.h: another start with the same environment fails too. systemd does not try one. */
const EXIT_CONFIG = 78;

/** A started component; components are stopped in reverse order. */
type Component = { stop(): Promise<void> };

let reports: ErrorReports | null = null;
let release: string | undefined;
/** Streams of events end before the server waits for its requests. */
const stopping = new AbortController();
const log = createLog(
  batchLines((text) => process.stdout.write(text)),
  (line) => reports?.report(line),
);
const components: Component[] = [];
// If the log's disk is full or its reader has ended, lines are lost and the server continues.
process.stdout.on('error', () => {});
stopOnSignals();
try {
  await start(readConfig(), process.argv.includes('--dev'));
} catch (error) {
  const reason = describeStartProblem(error);
  if (reason === null) throw error;
  process.stderr.write(`${reason}\n`);
  await stopComponents();
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
}
await loadRest();

/** The problem that the operator has to fix; null for an unexpected error. */
function describeStartProblem(error: unknown): string | null {
  const isForOperator = [ConfigError, PortTakenError, FolderInUseError, FolderUnwritableError].some(
    (kind) => error instanceof kind,
  );
  if (isForOperator) return (error as Error).message;
  return explainClosedDatabase(error);
}

async function start(config: Config, isDevelopment: boolean): Promise<void> {
  keepFilesPrivate();
  createFolder(config.dataDir);
  makeDataPrivate(config.dataDir);
  if (config.sentryDsn) await startReporting(config.sentryDsn);
  const database = await openDatabase({
    url: config.databaseUrl,
    folder: config.databaseUrl ? null : config.dataDir,
    onLost: endAfterLostDatabase,
  });
  components.push({ stop: () => database.close() });

  const hosts = new Map<string, Host>();
  const onHost: OnHost = (origin, fetch, headers) =>
    hosts.set(new URL(origin).host, headers ? { fetch, headers } : { fetch });
  const prometheus = config.metricsPort === null ? null : await createMetrics();
  const { context, demo, publisher, ticketSigner, hasStandIn, receiveWebhooks } =
    await database.withAdvisoryLock(() => setUp(config, { database, onHost, prometheus }));

  const pages = isDevelopment
    ? (await import('./pages/dev-pages.ts')).openDevPages(context)
    : await openPages(context);
  components.push(pages);
  release = pages.release;
  const app = createApp(context, {
    noteFailure: database.readiness.noteFailure,
    stopping: stopping.signal,
    pages,
  });
  receiveWebhooks(async (request) => app.fetch(request));
  const gtfs = createGtfsHandler(context);
  for (const host of HOSTS) {
    const showPage = pages.createHandler(host);
    const page: FetchHandler = (request) =>
      servedHosts[host].isPublic && GTFS_URL.test(request.url) ? gtfs(request) : showPage(request);
    const origin = config.origins[host];
    onHost(
      origin,
      (request, env) => (API_URL.test(request.url) ? app.fetch(request, env as object) : page(request)),
      // Hot reload uses inline scripts and styles.
      isDevelopment ? undefined : defaultHeaders({ isSecure: origin.startsWith('https:') }),
    );
  }
  if (hasStandIn) {
    const { createFrontPage } = await import('#sandbox/front-page.ts');
    const { testCards } = await import('#sandbox/card-provider/test-cards.ts');
    const frontPage = createFrontPage({
      origins: { ...config.origins, sms: config.sms?.isStandIn ? config.origins.sms : null },
      ...(demo ? { demo } : {}),
      testCards,
    });
    onHost(config.origins.front, frontPage.fetch);
  }

  const draining = drainBeforeStop(database.readiness, config.drainSeconds * 1000);
  const server = createHttpServer(dispatchByHost(hosts, draining));
  await listen(server, config);
  components.push({ stop: () => closeHttpServer(server) });
  components.push({ stop: async () => stopping.abort() });
  if (prometheus)
    await serveMetrics(config, { prometheus, context, readPool: database.readPool, release: pages.release });
  if (database.engine === 'pglite') {
    const stop = await listenForCommands({
      folder: config.dataDir,
      commands,
      context,
      log,
      async afterEach() {
        pages.refresh();
        await ticketSigner.refresh();
        wakeMessageWorkers(context.jobs);
        await publisher.publish();
      },
    });
    components.push({ stop });
  }
  if (config.watchdogSeconds > 0 && !isDevelopment) {
    const { startWatchdog } = await import('./core/watchdog.ts');
    components.push(startWatchdog({ limitMs: config.watchdogSeconds * 1000 }));
  }
  components.push(draining);
  if (config.isProduction) await reportStart(context);
  else announce(config, demo, hasStandIn);
  if (isDevelopment) process.send?.('ready');
}

/** Reports what the log has as errors, and the error that ends the process. */
async function startReporting(dsn: string): Promise<void> {
  const { openErrorReports } = await import('./core/error-reports.ts');
  const opened = openErrorReports({ dsn, getRelease: () => release });
  reports = opened;
  components.push(opened);
  process.once('uncaughtException', async (error) => {
    process.stderr.write(`${error.stack ?? error}\n`);
    log.error('process crashed', describeError(error));
    await opened.stop();
    process.exit(1);
  });
}

/** Ends the process, so that the supervisor starts it again, which recovers every committed row. */
function endAfterLostDatabase(): void {
  process.stderr.write(
    'The embedded database has stopped because it could not write its log. Check the disk of DATA_DIR.\n',
  );
  process.exit(1);
}

type OnHost = (origin: string, fetch: FetchHandler, headers?: Record<string, string>) => void;

/** Starts the backend. At the first start this also creates keys, tables, queues and the demo data. */
async function setUp(
  config: Config,
  {
    database,
    onHost,
    prometheus,
  }: { database: OpenDatabase; onHost: OnHost; prometheus: PrometheusMetrics | null },
) {
  // The provider delivers its webhooks to the app, and the app is created with the provider's keys. Not before the demo is
  // loaded, because its past payments must not be confirmed at the current time.
  let deliverWebhook = async (_: Request): Promise<Response> => new Response(null, { status: 503 });
  const payments = await choosePayments(config, { database, log }, (request) => deliverWebhook(request));
  if (payments.fetch) onHost(config.origins.pay, payments.fetch);
  components.push(payments);
  const mail = await chooseMail(config, database);
  if (mail.fetch) onHost(config.origins.mail, mail.fetch);
  components.push(mail);
  onHost(
    config.origins.storage,
    createStorage({
      directory: join(config.dataDir, 'storage'),
      allowOrigins: HOSTS.map((host) => config.origins[host]),
    }).fetch,
  );

  const sms = await chooseSms(config, database);
  if (sms.fetch) onHost(config.origins.sms, sms.fetch);

  const pushService = payments.fetch ? await openPushService(config, database) : null;
  if (pushService) onHost(pushService.origin, pushService.fetch);

  const vault = await openVault(database.db, config);
  const ticketSigner = await createTicketSigner({ db: database.db, vault, clock: systemClock });
  components.push(keepSignerFresh(ticketSigner, { log }));
  const jobs = createJobs(database.store, log);
  const context: Context = {
    config,
    clock: systemClock,
    db: database.db,
    jobs,
    log,
    metrics: prometheus ?? noMetrics,
    provider: payments.provider,
    push: await openPushSender({ config, db: database.db, vault, clock: systemClock }, pushService),
    ticketSigner,
    vault,
  };
  await jobs.start();
  components.push(jobs);
  // An embedded database has only this process, so requests still in progress belong to a previous, ended process.
  if (database.engine === 'pglite') await freeUnansweredKeys(database.db);
  const demo = payments.fetch ? await loadDemo(context) : null;
  if (!context.provider.isTest) await closeDemo(context);
  const publisher = createSettingsPublisher(context);
  components.push(publisher);
  await publisher.publish();
  await registerJobs(context, {
    mailer: createMailer({ smtpUrl: mail.smtpUrl, from: config.mailFrom, domain: config.parentDomain }),
    smsSender: sms.sender,
  });
  if (payments.fetch) await registerDemoJobs(context);
  const receiveWebhooks = (receiver: typeof deliverWebhook) => {
    deliverWebhook = receiver;
  };
  const hasStandIn = payments.fetch !== null;
  return { context, demo, publisher, ticketSigner, hasStandIn, receiveWebhooks };
}

async function createMetrics(): Promise<PrometheusMetrics> {
  const { createPrometheusMetrics } = await import('./metrics/prometheus.ts');
  return createPrometheusMetrics();
}

type MeasuredProcess = {
  prometheus: PrometheusMetrics;
  context: Context;
  readPool: OpenDatabase['readPool'];
  release: string;
};

async function serveMetrics(
  { metricsPort, listenHost }: Config,
  { prometheus, context, readPool, release }: MeasuredProcess,
): Promise<void> {
  const { createMetricsServer } = await import('./metrics/metrics-server.ts');
  const sources = { release, readFigures: () => readFigures(context), readPool };
  const server = createMetricsServer(async () => ({
    text: await prometheus.render(sources),
    contentType: prometheus.contentType,
  }));
  await listen(server, { port: metricsPort ?? 0, listenHost }, 'METRICS_PORT');
  components.push({ stop: () => closeHttpServer(server) });
}

function listen(
  server: Server,
  { port, listenHost }: Pick<Config, 'port' | 'listenHost'>,
  variable = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new PortTakenError(`Port ${port} is taken. Set ${variable} to a free one.`) : error);
    });
    server.listen(port, listenHost, resolve);
  });
}

function stopOnSignals(): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await stopComponents();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  // In development, when the process that restarts this one has ended.
  if (process.connected) process.on('disconnect', () => void stop());
}

async function stopComponents(): Promise<void> {
  for (const part of components.splice(0).reverse()) {
    await part.stop().catch((error: unknown) => log.error('could not stop', describeError(error)));
  }
}

/** Production logs what `npm run doctor` finds without other machines, one line each. */
async function reportStart(context: Context): Promise<void> {
  const { origins, port } = context.config;
  log.info('started', { tickets: origins.tickets, port });
  for (const finding of await inspectInstallation(context)) log.warn('installation incomplete', finding);
}
