import type { Place } from './places.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { Send } from './shopper.ts';

/** A server that is killed after a number of responses and restarted; buyers wait for it. */
export async function openKilledOffice(place: Place) {
  // Buyers of one network may not hold so many places that are not paid yet.
  const ownNetworks = { ...place.env, TRUST_PROXY: '1' };
  let server: ServerProcess = await startServer(ownNetworks);
  const env = { ...ownNetworks, PORT: String(server.port) };
  let open: Promise<void> = Promise.resolve();
  let answers = 0;
  let plan: number[] = [];
  let kills = 0;

  async function killAndRestart(): Promise<void> {
    kills += 1;
    await server.signal('SIGKILL');
    await letTimePass(place);
    server = await startServer(env);
  }

  const send: Send = async (path, options) => {
    await open;
    const reply = await server.send(path, options);
    answers += 1;
    if (plan[0] !== undefined && answers >= plan[0]) {
      plan = plan.slice(1);
      open = killAndRestart();
    }
    return reply;
  };
  return {
    send,
    killAfter(counts: readonly number[]) {
      answers = 0;
      plan = [...counts];
    },
    kills: () => kills,
    close: () => server.signal('SIGTERM'),
  };
}

/**
 * Keys of requests that died with their process are free again after a minute, because other processes might still
 * be at work; a test need not wait for it.
 */
async function letTimePass({ env, openDatabase }: Place): Promise<void> {
  if (env.DATABASE_URL === undefined) return;
  const database = await openDatabase();
  await database.store.query(
    `update idempotency_keys set inserted_at = inserted_at - interval '61 seconds' where status is null`,
  );
  await database.close();
}

/**
 * Draws after how many responses the server is killed, one kill in each part of `within`, with a linear congruential
 * generator, so that every run kills at the same points.
 */
export function drawKills(seed: number, { count, within }: { count: number; within: number }): number[] {
  let state = seed;
  const kills: number[] = [];
  for (let number = 0; number < count; number += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    kills.push(Math.floor((within / count) * (number + state / 2_147_483_648)) + 1);
  }
  return kills;
}
