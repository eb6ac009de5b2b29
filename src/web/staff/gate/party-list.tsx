import { useState } from 'react';
import type { GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import type { GateList } from '#domain/boarding/gate-list.ts';
import { getPartyKey } from '#domain/boarding/gate-list.ts';
import { measureParty } from '#domain/boarding/party-progress.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { t } from '#web/language/texts.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { describeTicketSailing, describeTitles } from './answer/answer-texts.ts';
import type { Answers } from './answer/answers.ts';
import styles from './party-list.module.css';
import { TicketChoice } from './ticket-choice.tsx';

type PartyListProps = {
  parties: readonly GateParty[];
  list: GateList;
  answers: Answers;
  /** Is open at first. */
  startsOpen?: GateParty | null;
};

/** Parties; a press opens one, to let its people aboard or off the boat. */
export function PartyList({ parties, list, answers, startsOpen = null }: PartyListProps) {
  const [openKey, setOpenKey] = useState(startsOpen && getPartyKey(startsOpen));
  const open = openKey === null ? undefined : list.parties.get(openKey);
  return (
    <>
      <ul className={styles.list}>
        {parties.map((party) => (
          <li key={getPartyKey(party)}>
            <button type="button" className={styles.party} onClick={() => setOpenKey(getPartyKey(party))}>
              <PartySummary party={party} sailing={list.sailings.get(party.sailing_id)} />
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <PartySheet
          party={open}
          sailing={list.sailings.get(open.sailing_id)}
          answers={answers}
          onClose={() => setOpenKey(null)}
        />
      )}
    </>
  );
}

function PartySummary({ party, sailing }: { party: GateParty; sailing: GateSailing | undefined }) {
  const { aboard, total } = measureParty(party);
  const isAboard = aboard === total && total > 0;
  return (
    <>
      <span className={styles.name}>
        <strong dir="auto">{party.contact_name}</strong> <span translate="no">{party.reference}</span>
        {party.vehicle && (
          <>
            {' '}
            <strong translate="no">{party.vehicle.plate}</strong>
          </>
        )}
      </span>
      <span>{describeTitles(party.tickets.filter((ticket) => !isVoid(ticket)))}</span>
      {sailing && <span className="note">{describeTicketSailing(sailing)}</span>}
      <span>
        <Badge tone={isAboard ? 'success' : 'neutral'} icon={isAboard ? 'check' : undefined}>
          {total === 0 ? t('Canceled|an order') : t('{aboard} of {total} aboard', { aboard, total })}
        </Badge>
      </span>
    </>
  );
}

type PartySheetProps = {
  party: GateParty;
  sailing: GateSailing | undefined;
  answers: Answers;
  onClose: () => void;
};

function PartySheet({ party, sailing, answers, onClose }: PartySheetProps) {
  const valid = party.tickets.filter((ticket) => !isVoid(ticket));
  const waiting = valid.filter(({ boarding }) => boarding === null);
  const aboard = valid.filter(({ boarding }) => boarding !== null);

  function act(work: (tickets: readonly GateTicket[]) => void, tickets: readonly GateTicket[]) {
    onClose();
    work(tickets);
  }

  return (
    <Modal title={<span dir="auto">{party.contact_name || party.reference}</span>} onClose={onClose}>
      <Stack>
        <p>
          <span translate="no">{party.reference}</span>
          {party.phone !== '' && (
            <>
              {' '}
              <a href={`tel:${party.phone}`}>{party.phone}</a>
            </>
          )}
        </p>
        {sailing && <p>{describeTicketSailing(sailing)}</p>}
        {party.vehicle && (
          <p className={styles.plate} translate="no">
            {party.vehicle.plate}
          </p>
        )}
        {waiting.length > 0 && (
          <TicketChoice
            tickets={waiting}
            onChoose={(chosen) => act((tickets) => answers.board(party, tickets), chosen)}
          />
        )}
        {aboard.length > 0 && (
          <>
            <p>{t('Aboard: {who}', { who: describeTitles(aboard) })}</p>
            <Button
              variant="secondary"
              block
              onClick={() => act((tickets) => answers.leave(party, tickets), aboard)}
            >
              {t('{count, plural, one {# leaves the boat} other {# leave the boat}}', {
                count: aboard.length,
              })}
            </Button>
          </>
        )}
        {valid.length === 0 && <p>{t('All tickets of this order are canceled or replaced.')}</p>}
      </Stack>
    </Modal>
  );
}
