import type { Translate } from '#messages/translate.ts';

type PriceLine = { kind: string; description: string; quantity: number; amount: number; status: string };

/** The fields of a line with the amount of replaced tickets that was not refunded. */
type UnrefundedLine = {
  kind: 'fee';
  description: string;
  quantity: 1;
  unitAmount: number;
  amount: number;
  status: 'active';
};

/**
 * The lines of an order that add up to its total. Replaced tickets and their credit cancel each other out; a change whose
 * refund was less than the value of its replaced tickets leaves an amount, which gets a line.
 */
export function listPriceLines<Line extends PriceLine>(
  t: Translate,
  lines: readonly Line[],
  { isPartlyCanceled }: { isPartlyCanceled: boolean },
): (Line | (Line & UnrefundedLine))[] {
  const isShown = ({ status, kind }: Line) => status !== 'replaced' || kind === 'fee';
  const shown = lines
    .filter(isShown)
    .map((line) =>
      isPartlyCanceled && line.status === 'canceled'
        ? { ...line, description: t('{description}, canceled', { description: line.description }) }
        : line,
    );
  const replaced = lines.filter((line) => !isShown(line));
  const unrefunded = replaced.reduce((sum, { amount }) => sum + amount, 0);
  const [first] = replaced;
  if (!first || unrefunded === 0) return shown;
  const sums = { quantity: 1, unitAmount: unrefunded, amount: unrefunded } as const;
  return [
    ...shown,
    { ...first, ...sums, kind: 'fee', description: t('Not refunded of earlier tickets'), status: 'active' },
  ];
}
