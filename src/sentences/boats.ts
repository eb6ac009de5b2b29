import type { PeopleAboard } from '#contract/gate/schemas.ts';
import type { Translate } from '#messages/translate.ts';

/** What a map shows as a dot, in words. `time`: when it is expected, as the port's clock says. */
export function describeBoat(t: Translate, boat: { vessel: string; port: string; time: string }): string {
  return t('{vessel} is under way to {port} and arrives at {time}.', boat);
}

/** The parts of the number of people aboard, in the order in which they are read out: what is counted, and how many. */
export function listPeopleAboard(
  t: Translate,
  { people, by_type: byType, unticketed, through }: PeopleAboard,
): [label: string, people: string][] {
  const labels: [string, number][] = [
    ...byType.map(({ title, people: count }): [string, number] => [title, count]),
    [t('Without a ticket'), unticketed],
    [t('From earlier ports'), through],
    [t('People aboard'), people],
  ];
  return labels.flatMap(([label, count], index) =>
    count === 0 && index < labels.length - 1 ? [] : [[label, String(count)]],
  );
}
