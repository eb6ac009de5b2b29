import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CHECKOUT_OUTCOMES, type Metrics } from '../core/metrics.ts';
import type { Figures } from './read-figures.ts';

/** Connections of a database pool. */
export type PoolState = { total: number; idle: number; waiting: number };

type Sources = {
  /** Version of the release that this process runs. */
  release: string;
  readFigures(): Promise<Figures>;
  /** Null if the database has no pool. */
  readPool(): PoolState | null;
};

/** Metrics of this process, and figures of the installation, as Prometheus reads them. */
export type PrometheusMetrics = Metrics & {
  /** The text of `/metrics`. */
  render(sources: Sources): Promise<string>;
  contentType: string;
};

/** Seconds. An answer within 0.25 s feels immediate on a phone. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];
/** The figures are read from the database at most this often. */
const FIGURES_AGE_MS = 5_000;

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gangway_http_request_duration_seconds',
    help: 'Requests of the API by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const checkouts = new Counter({
    name: 'gangway_checkouts_total',
    help: 'Checkouts by outcome. A declined card may be followed by another one.',
    labelNames: ['outcome'],
    registers,
  });
  // A counter that appears with its first event has no increase for an alert to see.
  for (const outcome of CHECKOUT_OUTCOMES) checkouts.inc({ outcome }, 0);
  const write = createFigureGauges(registry);
  let read = { at: Number.NEGATIVE_INFINITY, figures: null as Figures | null };
  return {
    contentType: registry.contentType,
    countRequest({ method, route, status, milliseconds }) {
      requests.observe({ method, route, status }, milliseconds / 1000);
    },
    countCheckout: (outcome) => checkouts.inc({ outcome }),
    async render({ release, readFigures, readPool }) {
      if (performance.now() - read.at > FIGURES_AGE_MS) {
        // While the database is away, the metrics of the process remain readable.
        read = { at: performance.now(), figures: await readFigures().catch(() => null) };
      }
      write({ release, figures: read.figures, pool: readPool() });
      return registry.metrics();
    },
  };
}

type Written = { release: string; figures: Figures | null; pool: PoolState | null };

function createFigureGauges(registry: Registry): (written: Written) => void {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `gangway_${name}`, help, labelNames, registers: [registry] });
  const info = gauge('info', 'The release that this process runs.', 'release');
  const up = gauge('database_up', '1 if the database answers, otherwise 0.');
  const holds = gauge('holds', 'Active holds of places.');
  const jobs = gauge('jobs', 'Background jobs by queue and state.', 'queue', 'state');
  const queued = gauge('mails_queued', 'Mails that wait to be sent.');
  const failed = gauge('mails_failed', 'Mails of the last 24 hours that were refused.');
  const open = gauge('refunds_open', 'Refunds that are requested or under way.');
  const returned = gauge('refunds_failed', 'Refunds that a bank returned and that were not repeated.');
  const doubt = gauge('payments_in_doubt', 'Card payments that are open for more than an hour.');
  const webhook = gauge('webhook_age_seconds', 'Time since an event of the card provider was accepted.');
  const backup = gauge('backup_age_seconds', 'Time since the last backup was made.');
  const pool = gauge('database_connections', 'Connections of the pool by state.', 'state');
  return ({ release, figures, pool: connections }) => {
    info.set({ release }, 1);
    up.set(figures === null ? 0 : 1);
    for (const each of [jobs, pool]) each.reset();
    for (const [state, count] of Object.entries(connections ?? {})) pool.set({ state }, count);
    if (figures === null) return;
    for (const { queue, ...counts } of figures.jobs) {
      for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, count);
    }
    holds.set(figures.holds);
    queued.set(figures.mailsQueued);
    failed.set(figures.mailsFailed);
    open.set(figures.refundsOpen);
    returned.set(figures.refundsFailed);
    doubt.set(figures.paymentsInDoubt);
    setOrRemove(webhook, figures.webhookAge);
    setOrRemove(backup, figures.backupAge);
  };
}

function setOrRemove(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}
