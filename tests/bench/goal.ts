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
    measured: `${value.toFixed(digits)} ${unit}${note ? `, ${note}` : ''}`,
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
    measured: `${value.toFixed(digits)} ${unit}${note ? `, ${note}` : ''}`,
    holds: value >= limits.must,
  };
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
