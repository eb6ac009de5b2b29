import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { createReference } from '#domain/orders/reference.ts';
import { newId } from '#server/core/ids.ts';

/** The statements of one checkout as the server sent them, ready to be sent again as another checkout's. */
export type Recording = {
  texts: string[];
  /** The values of each statement, as JSON. */
  values: string;
  /** What the checkout bought, and with which code. */
  sailing: string;
  promo: string;
};

type Statement = { text: string; values: unknown[] };

/** What must be another's in every checkout: ids of new rows, keys, codes for people. */
const FRESH =
  /(hld|ord|oln|tkt|mal)_[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[2-9A-Z]{4}[- ][2-9A-Z]{4}\b/g;

/** Reads what was noted from a place in the file on, without what the job queue asks in between. */
export function readRecording(
  file: string,
  from: number,
  about: Pick<Recording, 'sailing' | 'promo'>,
): Recording {
  const statements = readFileSync(file)
    .subarray(from)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Statement)
    .filter(({ text }) => !text.includes('pgboss') || /insert into pgboss\.job/i.test(text));
  return {
    ...about,
    texts: statements.map(({ text }) => text),
    values: JSON.stringify(statements.map(({ text, values }) => values.map(withOwnCounter(text)))),
  };
}

/** One checkout: the statements one after the other over one connection of the plain driver. */
export async function replay(
  pool: pg.Pool,
  recording: Recording,
  { sailing, promo }: { sailing: string; promo: string },
): Promise<void> {
  const renewed = new Map([
    [recording.sailing, sailing],
    [recording.promo, promo],
  ]);
  const values = recording.values
    .replaceAll(recording.sailing, sailing)
    .replaceAll(`"${recording.promo}"`, `"${promo}"`)
    .replace(FRESH, (old, prefix) => {
      const known = renewed.get(old) ?? fresh(old, prefix);
      renewed.set(old, known);
      return known;
    });
  const client = await pool.connect();
  try {
    const renewedValues = JSON.parse(values) as unknown[][];
    for (const [index, text] of recording.texts.entries()) await client.query(text, renewedValues[index]);
  } finally {
    client.release();
  }
}

function fresh(old: string, prefix: Parameters<typeof newId>[0] | undefined): string {
  if (prefix) return newId(prefix);
  if (old.length > 9) return randomUUID();
  return createReference((below) => randomInt(below), old.includes(' ') ? ' ' : '-');
}

/** Each call comes from another network, so each counts under a key of its own. */
function withOwnCounter(text: string): (value: unknown, index: number) => unknown {
  const isCounter = text.includes('into rate_limits');
  return (value, index) => (isCounter && index === 0 ? withOwnKeys(String(value)) : value);
}

function withOwnKeys(hits: string): string {
  return JSON.stringify(
    (JSON.parse(hits) as object[]).map((hit) => ({ ...hit, key: `bench:${randomUUID()}` })),
  );
}
