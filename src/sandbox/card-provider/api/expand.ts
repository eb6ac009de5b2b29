import { invalid } from '../errors.ts';
import type { Kind } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

const kindOfPrefix: Record<string, Kind> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  seti: 'setup_intent',
  setatt: 'setup_attempt',
  ch: 'charge',
  re: 'refund',
  dp: 'dispute',
  txn: 'balance_transaction',
  po: 'payout',
};

const deepest = 4;

/** Copies the response and replaces the named ids with their objects. */
export async function expandAnswer(
  unit: UnitOfWork,
  body: object,
  paths: readonly string[],
): Promise<object> {
  const copy = structuredClone(body);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > deepest)
      throw invalid(`You cannot expand more than ${deepest} levels of a property.`, 'expand');
    await expandPath(unit, copy, steps, path);
  }
  return copy;
}

async function expandPath(
  unit: UnitOfWork,
  target: object,
  steps: readonly string[],
  path: string,
): Promise<void> {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  if (!Object.hasOwn(target, step)) {
    throw invalid(`This property cannot be expanded (${path.slice(0, 80)}).`, 'expand');
  }
  const value: unknown = Reflect.get(target, step);
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === 'object' && item !== null) await expandPath(unit, item, rest, path);
    return;
  }
  if (typeof value === 'string') Reflect.set(target, step, await findForExpand(unit, value, path));
  const child: unknown = Reflect.get(target, step);
  if (typeof child === 'object' && child !== null) await expandPath(unit, child, rest, path);
}

async function findForExpand(unit: UnitOfWork, id: string, path: string): Promise<object> {
  const kind = kindOfPrefix[id.slice(0, id.indexOf('_'))];
  const stored = kind && (await unit.find(kind, id));
  if (!stored) throw invalid(`This property cannot be expanded (${path.slice(0, 80)}).`, 'expand');
  return structuredClone(stored.doc);
}
