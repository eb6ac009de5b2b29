import { invalid, noSuch } from '../errors.ts';
import { allowOnly, type Parameters, readGroup, readInteger, readText } from '../parameters.ts';
import type { Kind, Kinds } from '../records.ts';
import { type Answer, type Call, ok, type Route } from './call.ts';

export const listParameters = ['limit', 'starting_after', 'ending_before', 'created'] as const;

/** Lists the objects of a kind; the filters are parameters that equal a field of the document. */
export function listRoute(
  kind: Kind,
  filters: readonly string[],
  check?: (call: Call) => Promise<unknown>,
): Route {
  const path = `/v1/${kind}s`;
  return {
    method: 'GET',
    path,
    allowedParameters: [...listParameters, ...filters],
    async run(call) {
      await check?.(call);
      const equals = Object.fromEntries(filters.map((name) => [name, readText(call.parameters, name)]));
      return listObjects(call, kind, path, equals);
    },
  };
}

/**
 * A page of objects, newest first. `equals` compares fields of the document; `oneOf` allows several values of a field;
 * `payout` is the one that balance transactions are in. `limit` is 1 to 100, 10 by default.
 */
export async function listObjects<K extends Kind>(
  call: Call,
  kind: K,
  url: string,
  equals: Record<string, string | null>,
  { oneOf = {}, payout = null }: { oneOf?: Record<string, string[] | null>; payout?: string | null } = {},
): Promise<Answer> {
  const limit = readLimit(call.parameters);
  const params: unknown[] = [kind];
  const add = (value: unknown) => `$${params.push(value)}`;
  const conditions = [
    'object = $1',
    ...Object.entries(equals)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => `doc->>${add(field)}::text = ${add(value)}`),
    ...(payout === null ? [] : [`secret->>'payout' = ${add(payout)}`]),
    ...createdConditions(call.parameters, add),
  ];
  for (const [field, values] of Object.entries(oneOf)) {
    if (values)
      conditions.push(
        `doc->>${add(field)}::text in (select jsonb_array_elements_text(${add(JSON.stringify(values))}::text::jsonb))`,
      );
  }
  const backwards = await addCursor(call, kind, conditions, add);
  const rows = await call.store.query<{ doc: Kinds[K] }>(
    `select doc from sandbox.objects where ${conditions.join(' and ')}
     order by seq ${backwards ? 'asc' : 'desc'} limit ${limit + 1}`,
    params,
  );
  const page = rows.slice(0, limit).map(({ doc }) => doc);
  if (backwards) page.reverse();
  return ok({ object: 'list', data: page, has_more: rows.length > limit, url });
}

function readLimit(parameters: Parameters): number {
  const limit = readInteger(parameters, 'limit') ?? 10;
  if (limit < 1)
    throw invalid('This value must be greater than or equal to 1.', 'limit', 'parameter_invalid_integer');
  if (limit > 100)
    throw invalid('This value must be less than or equal to 100.', 'limit', 'parameter_invalid_integer');
  return limit;
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function createdConditions(parameters: Parameters, add: (value: unknown) => string): string[] {
  const { created } = parameters;
  if (created === undefined) return [];
  const field = `(doc->>'created')::double precision`;
  if (typeof created === 'string') return [`${field} = ${add(readInteger(parameters, 'created'))}`];
  const range = readGroup(parameters, 'created');
  allowOnly(range, Object.keys(comparisons));
  return Object.entries(comparisons).flatMap(([name, sign]) => {
    const bound = readInteger(range, name, `created[${name}]`);
    return bound === null ? [] : [`${field} ${sign} ${add(bound)}`];
  });
}

/** @returns whether the page is read backwards, from `ending_before` */
async function addCursor(
  call: Call,
  kind: Kind,
  conditions: string[],
  add: (value: unknown) => string,
): Promise<boolean> {
  const after = readText(call.parameters, 'starting_after');
  const before = readText(call.parameters, 'ending_before');
  const id = after ?? before;
  if (id === null) return false;
  if (!(await call.unit.find(kind, id)))
    throw noSuch(kind, id, after ? 'starting_after' : 'ending_before', 400);
  conditions.push(`seq ${after ? '<' : '>'} (select seq from sandbox.objects where id = ${add(id)})`);
  return after === null;
}
