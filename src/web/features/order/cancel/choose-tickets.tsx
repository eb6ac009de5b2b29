import { isReturnLeg } from '#domain/orders/legs.ts';
import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './choose-tickets.module.css';
import type { JourneyChoices, TicketChoice } from './ticket-choices.ts';

type ChooseTicketsProps = {
  journeys: readonly JourneyChoices[];
  /** Ids of the chosen tickets. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** The tickets of each journey, one by one or all at once. */
export function ChooseTickets({ journeys, chosen, onChange }: ChooseTicketsProps) {
  const all = journeys.flatMap(({ choices }) => choices);
  const isSeveral = journeys.length > 1;
  return (
    <Stack gap="lg">
      {isSeveral && <AllBox label={t('All tickets')} choices={all} chosen={chosen} onChange={onChange} />}
      {journeys.map(({ name, first, last, choices }) => (
        <Stack key={first.leg} as="fieldset" gap="xs" className={styles.journey}>
          <legend className={styles.legend}>
            {nameRoute(name, first, last)}
            <span className={styles.time}>
              {formatShortDay(localDay(first.departsLocal))},{' '}
              <ShownTime {...readCrossingTimes(first).departs} />
            </span>
          </legend>
          {choices.length > 1 && (
            <AllBox label={nameAll(name, first)} choices={choices} chosen={chosen} onChange={onChange} />
          )}
          {choices.map((choice) => (
            <Checkbox
              key={choice.ticketIds[0]}
              label={<bdi>{choice.label}</bdi>}
              description={[choice.detail, choice.refusal].filter(Boolean).join(' · ')}
              disabled={choice.refusal !== null}
              checked={isChosen(choice, chosen)}
              onChange={({ target }) => onChange(change(chosen, [choice], target.checked))}
            />
          ))}
        </Stack>
      ))}
    </Stack>
  );
}

/** "Return: Heron Island to Port Madrona" */
function nameRoute(journey: string | undefined, first: Leg, last: Leg): string {
  const ports = { from: first.origin.name, to: last.destination.name };
  return journey === undefined
    ? t('{from} to {to}', ports)
    : t('{journey}: {from} to {to}', { journey, ...ports });
}

function nameAll(journey: string | undefined, { leg }: Leg): string {
  if (journey === undefined) return t('All tickets');
  return t(isReturnLeg(leg) ? 'All return tickets' : 'All outbound tickets');
}

type AllBoxProps = Omit<ChooseTicketsProps, 'journeys'> & { label: string; choices: readonly TicketChoice[] };

/** Chooses all of the tickets, or none if all are chosen. */
function AllBox({ label, choices, chosen, onChange }: AllBoxProps) {
  const open = choices.filter(({ refusal }) => refusal === null);
  const count = open.filter((choice) => isChosen(choice, chosen)).length;
  const isAll = count === open.length && count > 0;
  return (
    <Checkbox
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll;
      }}
      label={<strong>{label}</strong>}
      disabled={open.length === 0}
      checked={isAll}
      onChange={() => onChange(change(chosen, open, !isAll))}
    />
  );
}

function isChosen({ ticketIds }: TicketChoice, chosen: readonly string[]): boolean {
  return ticketIds.every((id) => chosen.includes(id));
}

function change(chosen: readonly string[], choices: readonly TicketChoice[], isAdded: boolean): string[] {
  const ids = choices.flatMap(({ ticketIds }) => ticketIds);
  const others = chosen.filter((id) => !ids.includes(id));
  return isAdded ? [...others, ...ids] : others;
}
