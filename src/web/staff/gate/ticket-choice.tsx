import { useState } from 'react';
import type { GateTicket } from '#contract/gate/schemas.ts';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import styles from './ticket-choice.module.css';

type TicketChoiceProps = {
  tickets: readonly GateTicket[];
  onChoose: (tickets: readonly GateTicket[]) => void;
};

/** Asks which tickets go aboard; all of them at first. */
export function TicketChoice({ tickets, onChoose }: TicketChoiceProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = tickets.filter(({ id }) => !left.has(id));
  return (
    <>
      <fieldset className={styles.tickets}>
        <legend className={styles.legend}>{t('Who goes aboard?')}</legend>
        {tickets.map((ticket) => (
          <Checkbox
            key={ticket.id}
            label={<TicketName ticket={ticket} />}
            checked={!left.has(ticket.id)}
            onChange={() => setLeft((before) => toggle(before, ticket.id))}
          />
        ))}
      </fieldset>
      <Button size="large" block aria-disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
        {t('{count, plural, one {Let # aboard} other {Let # aboard}}', { count: chosen.length })}
      </Button>
    </>
  );
}

/** "Ada Lovelace, Adult K7M4 QXP1" */
export function TicketName({ ticket: { name, title, code } }: { ticket: GateTicket }) {
  return (
    <>
      <span dir="auto">{name === null ? title : t('{name}, {title}', { name, title })}</span>{' '}
      <span translate="no">{code}</span>
    </>
  );
}

/** With the id, or without it if it was there. */
function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
