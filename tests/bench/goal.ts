/** One line of the verdict. */
export type Goal = {
  name: string;
  must: string;
  aim: string;
  measured: string;
  holds: boolean;
};

/** A figure that may be at most `must`; the measured value is shown with what it was made of. */
export function atMost(
  name: string,
  value: number,
  limits: { must: number; aim: number },
  { unit = '×', digits = 2, note = '' } = {},
): Goal {
  return {
    name,
    must: `≤ ${limits.must} ${unit}`,
    aim: `≤ ${limits.aim} ${unit}`,
    measured: measuredAs(value.toFixed(digits), unit, note),
    holds: value <= limits.must,
  };
}

/** A figure that has to be at least `must`. */
export function atLeast(
  name: string,
  value: number,
  limits: { must: number; aim: number },
  { unit = '×', digits = 2, note = '' } = {},
): Goal {
  return {
    name,
    must: `≥ ${limits.must} ${unit}`,
    aim: `≥ ${limits.aim} ${unit}`,
    measured: measuredAs(value.toFixed(digits), unit, note),
    holds: value >= limits.must,
  };
}

/** A figure with one right value, which each of the measured ones has to be. */
export function exactly(
  name: string,
  values: readonly number[],
  right: number,
  { unit = '', note = '' } = {},
): Goal {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const measured = least === most ? `${most}` : `${least}–${most}`;
  return {
    name,
    must: `${right} ${unit}`.trim(),
    aim: `${right} ${unit}`.trim(),
    measured: measuredAs(measured, unit, note),
    holds: values.length > 0 && values.every((value) => value === right),
  };
}

function measuredAs(text: string, unit: string, note: string): string {
  return `${text} ${unit}`.trim() + (note ? `, ${note}` : '');
}

export function tableOf(goals: readonly Goal[]): string {
  const rows = [
    ['goal', 'must', 'aim', 'measured', 'holds?'],
    ...goals.map(({ name, must, aim, measured, holds }) => [name, must, aim, measured, holds ? 'yes' : 'NO']),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
