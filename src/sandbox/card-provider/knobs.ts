import type { SqlStore } from '../sql-store.ts';

/** A number has a highest value and a lowest of 0, its default; a flag is off by default. */
type KnobRule = { label: string; most?: number };

/** Simulated failures, shared by every process on the database. */
export const knobRules = {
  duplicate: { label: 'Extra copies of every webhook', most: 5 },
  delay_ms: { label: 'Webhooks wait (ms)', most: 600_000 },
  /** Delivers webhooks of the same two seconds newest first. */
  reorder: { label: 'Webhooks arrive newest first' },
  /** Records webhooks without sending them. */
  drop: { label: 'Webhooks are not sent' },
  /** The next calls, this many, return 500 without effect. */
  fail_next: { label: 'API calls that fail next', most: 1000 },
  /** The next calls, this many, take effect but return 500. */
  lose_next: { label: 'API calls that work but answer 500 next', most: 1000 },
  latency_ms: { label: 'Every API call takes longer (ms)', most: 60_000 },
  /** Every API call returns 503. */
  api_down: { label: 'API is down' },
  /** Like a browser without a wallet. */
  no_wallets: { label: 'No wallets are offered' },
} as const satisfies Record<string, KnobRule>;

type Rules = typeof knobRules;
export type Knobs = { [Name in keyof Rules]: Rules[Name] extends { most: number } ? number : boolean };

const defaultKnobs = Object.fromEntries(
  Object.entries<KnobRule>(knobRules).map(([name, { most }]) => [name, most === undefined ? false : 0]),
) as Knobs;

export async function readKnobs(store: SqlStore): Promise<Knobs> {
  const [row] = await store.query<{ value: Partial<Knobs> }>(
    `select value from sandbox.config where key = 'knobs'`,
    [],
  );
  return { ...defaultKnobs, ...row?.value };
}

/** Changes the given knobs only. */
export async function changeKnobs(store: SqlStore, changes: Partial<Knobs>): Promise<Knobs> {
  const [row] = await store.query<{ value: Partial<Knobs> }>(
    `insert into sandbox.config (key, value) values ('knobs', $1::text::jsonb)
     on conflict (key) do update set value = sandbox.config.value || excluded.value
     returning value`,
    [JSON.stringify(changes)],
  );
  return { ...defaultKnobs, ...row?.value };
}

/** Consumes one of the counted failures if any is left; two calls never consume the same one. */
export async function takeFailure(store: SqlStore, knob: 'fail_next' | 'lose_next'): Promise<boolean> {
  const rows = await store.query(
    `update sandbox.config
     set value = jsonb_set(value, array[$1::text], to_jsonb((value->>$1::text)::int - 1))
     where key = 'knobs' and coalesce((value->>$1::text)::int, 0) > 0
     returning key`,
    [knob],
  );
  return rows.length > 0;
}

/** Parses knobs from a form or a JSON body. Refuses unknown names and values out of range, with a reason. */
export function parseKnobs(input: Record<string, unknown>): { knobs: Partial<Knobs> } | { problem: string } {
  const knobs: Record<string, number | boolean> = {};
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(knobRules, name)) return { problem: `There is no knob "${name.slice(0, 40)}".` };
    const { most }: KnobRule = knobRules[name as keyof Knobs];
    const parsed = most === undefined ? parseFlag(value) : parseCount(value, most);
    if (parsed === undefined) {
      return {
        problem: `"${name}" is ${most === undefined ? 'true or false' : `a whole number from 0 to ${most}`}.`,
      };
    }
    knobs[name] = parsed;
  }
  return { knobs };
}

function parseFlag(value: unknown): boolean | undefined {
  return { true: true, on: true, '1': true, false: false, off: false, '0': false }[String(value)];
}

function parseCount(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= most
    ? number
    : undefined;
}
