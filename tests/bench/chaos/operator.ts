import { setTimeout as delay } from 'node:timers/promises';
import { type Finished, runNpmScript } from '#tests/process/command-line.ts';

/** How often each command took effect. */
export type OperatorActions = Record<'vessel' | 'cancel' | 'delay' | 'undo', number>;

type Options = {
  /** Where the commands find the database. */
  env: Record<string, string>;
  sailings: readonly string[];
  random: () => number;
  say: (line: string) => void;
  /** When it ends, on the clock of `performance.now()`. */
  endsAt: number;
};

/** A boat for twelve, on sailings that many more have bought. */
const SMALL_BOAT = 'petrel';
const PAUSE_MS = { least: 4_000, most: 15_000 };
const TRIES = 20;
const RETRY_MS = 2_000;

/** Changes boats with the operator's own commands, until the time is over: smaller, canceled, late, and back. */
export async function runOperator({ env, sailings, random, say, endsAt }: Options): Promise<OperatorActions> {
  const actions: OperatorActions = { vessel: 0, cancel: 0, delay: 0, undo: 0 };
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)];

  async function run(kind: keyof OperatorActions, ...args: string[]): Promise<void> {
    say(`sailings ${kind} ${args.join(' ')}`);
    if (await succeeds(() => runNpmScript('sailings', [kind, ...args], { env }))) actions[kind] += 1;
  }

  async function undoOne(): Promise<void> {
    const { stdout } = await runNpmScript('sailings', ['exceptions', '--csv'], { env });
    const ids = stdout.split('\n').flatMap((line) => line.match(/^exc_\w+/) ?? []);
    const id = pick(ids);
    if (id) await run('undo', id);
  }

  while (performance.now() < endsAt) {
    await delay(PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least));
    const sailing = pick(sailings) ?? '';
    const chance = random();
    if (chance < 0.35) await run('vessel', sailing, SMALL_BOAT);
    else if (chance < 0.5) await run('cancel', sailing, '--reason', 'weather');
    else if (chance < 0.65) await run('delay', sailing, String(20 + Math.floor(random() * 160)));
    else await undoOne();
  }
  return actions;
}

/** Repeats a command whose connection was cut. A refusal is not repeated: an exception may have ended by itself. */
async function succeeds(run: () => Promise<Finished>): Promise<boolean> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { exitCode, stderr } = await run();
    if (exitCode === 0) return true;
    if (stderr.split('\n', 1)[0]?.startsWith('There is no')) return false;
    await delay(RETRY_MS);
  }
  throw new Error('An operator’s command failed over and over.');
}
