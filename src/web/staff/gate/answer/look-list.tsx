import type { GateTicket } from '#contract/gate/schemas.ts';
import type { Decision, Look } from '#domain/boarding/decide-boarding.ts';
import { formatLength } from '#web/features/site/lengths.ts';
import { t } from '#web/language/texts.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import styles from './answer-panel.module.css';
import { describeLook, describeTicketSailing, describeTitles } from './answer-texts.ts';

type LookListProps = {
  decision: Extract<Decision, { answer: 'go' | 'look' }>;
  tickets: readonly GateTicket[];
};

/** What to look at before people go aboard. */
export function LookList({ decision, tickets }: LookListProps) {
  if (decision.looks.length === 0) return null;
  return (
    <ul className={styles.looks}>
      {decision.looks.map((look) => (
        <li key={look}>
          <strong>{describeLook(look)}</strong>
          <LookDetails look={look} decision={decision} tickets={tickets} />
        </li>
      ))}
    </ul>
  );
}

function LookDetails({ look, decision, tickets }: LookListProps & { look: Look }) {
  const { units } = useSettings();
  const { party, sailing } = decision;
  switch (look) {
    case 'proof':
      return <p>{describeTitles(tickets.filter((ticket) => ticket.needs_proof))}</p>;
    case 'assistance':
      return tickets
        .filter(({ assistance }) => assistance !== '')
        .map(({ id, name, title, assistance }) => (
          <p key={id} dir="auto">
            {t('{who}: {needs}', { who: name ?? title, needs: assistance })}
          </p>
        ));
    case 'details':
      return (
        <>
          <p>{describeTitles(tickets.filter((ticket) => ticket.lacks_details))}</p>
          <p>{t('Enter them in “Count” before the boat departs.')}</p>
        </>
      );
    case 'partly_aboard':
      return <p>{t('Count the others, because this code is for all of them.')}</p>;
    case 'missed_earlier':
      return sailing && <p>{describeTicketSailing(sailing)}</p>;
    case 'vehicle': {
      const vehicle = party?.vehicle;
      if (!vehicle) return null;
      return (
        <>
          <p className={styles.plate} translate="no">
            {vehicle.plate}
          </p>
          {vehicle.length_cm !== null && (
            <p>{t('Booked length: {length}', { length: formatLength(vehicle.length_cm, units) })}</p>
          )}
          {vehicle.height_cm !== null && (
            <p>{t('Booked height: {height}', { height: formatLength(vehicle.height_cm, units) })}</p>
          )}
        </>
      );
    }
  }
}
