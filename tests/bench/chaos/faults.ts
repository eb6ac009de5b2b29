import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Cluster } from '#tests/setup/engine.ts';
import type { MailServer } from './mail-server.ts';
import type { Office } from './office.ts';

export type Faults = Record<'cuts' | 'kills' | 'stops' | 'provider' | 'mail', number>;

type World = {
  office: Office;
  cluster: Cluster;
  /** Connections of the administrator to the product's database. */
  admin: pg.Pool;
  mail: MailServer;
  random: () => number;
  say: (line: string) => void;
  /** When there are no more faults, on the clock of `performance.now()`. */
  endsAt: number;
  /** How often the database is stopped, in milliseconds. */
  stopEveryMs: number;
};

const REST_MS: Range = [1_000, 6_000];
/** Long enough that mails do not only pile up. */
const MAIL_REST_MS: Range = [30_000, 90_000];
const PROVIDER_MS: Range = [2_000, 15_000];
const MAIL_MS: Range = [5_000, 20_000];
const DOWN_MS: Range = [0, 5_000];
const STOP_MS: Range = [5_000, 30_000];

type Range = readonly [least: number, most: number];

/** A temporary fault of the card provider. */
const PROVIDER_FAULTS: readonly object[] = [
  { fail_next: 5 },
  { lose_next: 5 },
  { api_down: true },
  { drop: true },
  { duplicate: 3, reorder: true },
  { delay_ms: 5_000 },
  { latency_ms: 1_500 },
];
const NO_PROVIDER_FAULT = {
  ...{ fail_next: 0, lose_next: 0, api_down: false, drop: false },
  ...{ duplicate: 0, reorder: false, delay_ms: 0, latency_ms: 0 },
};

/** Breaks one thing after the other until the time is over, and mends all of it in the end. */
export async function makeFaults(world: World): Promise<Faults> {
  const { office, cluster, admin, mail, random, say, endsAt, stopEveryMs } = world;
  const count: Faults = { cuts: 0, kills: 0, stops: 0, provider: 0, mail: 0 };
  const between = ([least, most]: Range) => least + random() * (most - least);
  const isOver = () => performance.now() >= endsAt;
  const pause = (milliseconds: number) =>
    delay(Math.max(0, Math.min(milliseconds, endsAt - performance.now())));
  const restarts: Promise<void>[] = [];

  async function cutConnections(): Promise<void> {
    // One of them, or all at once.
    const share = random() < 0.5 ? 1 : 0.2;
    count.cuts += 1;
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'administrator' and random() < $1`,
      [share],
    );
  }

  async function killProcess(): Promise<void> {
    count.kills += 1;
    const index = Math.floor(random() * office.size);
    say(`process ${index} is killed`);
    restarts.push(office.kill(index, between(DOWN_MS)));
  }

  async function troubleProvider(): Promise<void> {
    count.provider += 1;
    const fault = PROVIDER_FAULTS[Math.floor(random() * PROVIDER_FAULTS.length)] ?? {};
    say(`the card provider: ${JSON.stringify(fault)}`);
    await changeKnobs(admin, fault);
    await pause(between(PROVIDER_MS));
    await changeKnobs(admin, NO_PROVIDER_FAULT);
  }

  async function troubleMail(): Promise<void> {
    count.mail += 1;
    say('the mail server refuses');
    mail.setRefusing(true);
    await pause(between(MAIL_MS));
    mail.setRefusing(false);
  }

  async function stopDatabase(): Promise<void> {
    count.stops += 1;
    const away = between(STOP_MS);
    say(`the database is stopped for ${Math.round(away / 1000)} s`);
    await cluster.halt();
    await delay(away);
    await cluster.resume();
  }

  const runAll = async (rest: Range, faults: readonly (() => Promise<void>)[]) => {
    while (!isOver()) {
      await pause(between(rest));
      if (isOver()) return;
      await faults[Math.floor(random() * faults.length)]?.();
    }
  };
  let stoppedAt = performance.now();
  const maybeStop = async () => {
    if (performance.now() - stoppedAt < stopEveryMs) return cutConnections();
    stoppedAt = performance.now();
    await stopDatabase();
  };
  // Knobs are in the database, so faults that set them do not run while the database is stopped.
  await Promise.all([
    runAll(REST_MS, [cutConnections, maybeStop, troubleProvider, killProcess]),
    runAll(MAIL_REST_MS, [troubleMail]),
  ]);
  await Promise.all(restarts);
  await changeKnobs(admin, NO_PROVIDER_FAULT);
  mail.setRefusing(false);
  return count;
}

async function changeKnobs(admin: pg.Pool, knobs: object): Promise<void> {
  await admin.query(
    `insert into sandbox.config (key, value) values ('knobs', $1::jsonb)
     on conflict (key) do update set value = sandbox.config.value || excluded.value`,
    [JSON.stringify(knobs)],
  );
}
