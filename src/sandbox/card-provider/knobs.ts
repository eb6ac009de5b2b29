import type { SqlStore } from '../sql-store.ts';

/** Simulated failures. All off by default; shared by every process on the database. */
export const defaultKnobs = {
  /** Extra deliveries of every webhook. */
  duplicate: 0,
  /** Delay of webhooks. */
  delay_ms: 0,
  /** Delivers webhooks of the same two seconds newest first. */
  reorder: false,
  /** Records webhooks without sending them. */
  drop: false,
  /** The next calls, this many, return 500 without effect. */
  fail_next: 0,
  /** The next calls, this many, take effect but return 500. */
  lose_next: 0,
  /** Additional latency of every API call. */
  latency_ms: 0,
  /** Every API call returns 503. */
  api_down: false,
  /** Offers no wallet, like a browser without one. */
  no_wallets: false,
};

export type Knobs = typeof defaultKnobs;

const highest = {
  duplicate: 5,
  delay_ms: 600_000,
  fail_next: 1000,
  lose_next: 1000,
  latency_ms: 60_000,
} as const;

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
  const knobs: Partial<Knobs> = {};
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(defaultKnobs, name)) return { problem: `There is no knob "${name.slice(0, 40)}".` };
    const problem = setKnob(knobs, name as keyof Knobs, value);
    if (problem) return { problem };
  }
  return { knobs };
}

function setKnob(knobs: Partial<Knobs>, name: keyof Knobs, value: unknown): string | null {
  if (name === 'reorder' || name === 'drop' || name === 'api_down' || name === 'no_wallets') {
    const flag = { true: true, on: true, '1': true, false: false, off: false, '0': false }[String(value)];
    if (flag === undefined) return `"${name}" is true or false.`;
    knobs[name] = flag;
    return null;
  }
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > highest[name]) {
    return `"${name}" is a whole number from 0 to ${highest[name]}.`;
  }
  knobs[name] = number;
  return null;
}
