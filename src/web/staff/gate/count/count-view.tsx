import { useState } from 'react';
import type { PeopleAboard } from '#contract/gate/schemas.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { type BoardingCount, countBoarding } from '#domain/boarding/count-boarding.ts';
import type { GateList } from '#domain/boarding/gate-list.ts';
import { listPeopleAboard } from '#sentences/boats.ts';
import { formatLane } from '#web/features/site/lengths.ts';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { FullnessBar } from '#web/ui/data/fullness-bar.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { Answers } from '../answer/answers.ts';
import { describeMissingDetails } from '../boat-texts.ts';
import type { Boat } from '../boats.ts';
import type { GateDevice } from '../device/gate-device.ts';
import { PartyList } from '../party-list.tsx';
import { TicketName } from '../ticket-choice.tsx';
import { BoatActions } from './boat-actions.tsx';
import styles from './count-view.module.css';

type CountViewProps = { device: GateDevice; boat: Boat; list: GateList; answers: Answers };

/** How many are aboard and who is missing, and what closes and opens the boat. */
export function CountView({ device, boat, list, answers }: CountViewProps) {
  const count = countBoarding(boat.sailings, list.parties.values());
  const aboard = boat.sailings[0].people_aboard;
  return (
    <Stack>
      {aboard ? <PeopleForMaster aboard={aboard} /> : <People count={count} />}
      <Unticketed device={device} boat={boat} />
      <Twice count={count} />
      {count.titles.length > 0 && (
        <Card title={t('Tickets')}>
          <DefinitionList
            items={count.titles.map(({ kind, title, aboard, sold }) => ({
              key: `${kind} ${title}`,
              term: title,
              details: t('{aboard} of {total} aboard', { aboard, total: sold }),
            }))}
          />
        </Card>
      )}
      <Missing count={count} list={list} answers={answers} />
      <WithoutDetails boat={boat} />
      <BoatActions device={device} boat={boat} count={count} />
    </Stack>
  );
}

function People({
  count: { people, certificate, laneCm, vesselLaneCm, leftBehind },
}: {
  count: BoardingCount;
}) {
  const { units } = useSettings();
  return (
    <Card>
      <p className={styles.people}>
        {t('{people, plural, one {# person aboard} other {# people aboard}}', { people })}
      </p>
      <FullnessBar
        level={certificate === 0 ? 1 : people / certificate}
        text={t('The boat may carry {certificate}', { certificate })}
      />
      {people > certificate && (
        <Notice type="alert" role="alert">
          {t('More people are aboard than the boat may carry. Do not depart.')}
        </Notice>
      )}
      {vesselLaneCm > 0 && (
        <FullnessBar
          level={laneCm / vesselLaneCm}
          text={t('Vehicles aboard: {length} of {total}', {
            length: formatLane(laneCm, units),
            total: formatLane(vesselLaneCm, units),
          })}
        />
      )}
      {leftBehind.people > 0 && (
        <p>
          {t(
            'Left behind: {people, plural, one {# person} other {# people}}, {vehicles, plural, =0 {no vehicle} one {# vehicle} other {# vehicles}}',
            leftBehind,
          )}
        </p>
      )}
    </Card>
  );
}

/** The number that the master is told by radio, as it was when the boat departed or was corrected since. */
function PeopleForMaster({ aboard }: { aboard: PeopleAboard }) {
  const counted = formatForReader('clock', aboard.counted_at);
  return (
    <Card title={t('For the master')}>
      <p className={styles.master}>
        <span className={styles.masterNumber}>{aboard.people}</span>{' '}
        {t('{people, plural, one {person aboard} other {people aboard}}', { people: aboard.people })}
      </p>
      {aboard.is_corrected && (
        <Notice type="warning">
          {t('Corrected at {time}, because a gate reported late. Tell the master the new number.', {
            time: counted,
          })}
        </Notice>
      )}
      <DefinitionList
        items={listPeopleAboard(t, aboard)
          .slice(0, -1)
          .map(([term, details]) => ({ key: term, term, details }))}
      />
      {!aboard.is_corrected && <p className="note">{t('Counted at {time}.', { time: counted })}</p>}
    </Card>
  );
}

/** People whom no ticket counts, such as guests of the crew. */
function Unticketed({ device, boat }: { device: GateDevice; boat: Boat }) {
  const [announced, setAnnounced] = useState('');
  const unticketed = boat.sailings.reduce((sum, sailing) => sum + sailing.unticketed, 0);
  const label = t('People without a ticket');

  function countOne(people: 1 | -1) {
    if (unticketed + people < 0) return;
    device.record({ type: 'count', sailing_id: boat.sailings[0].id, people });
    setAnnounced(t('{label}: {count}', { label, count: unticketed + people }));
  }

  return (
    <Card title={label}>
      <div className={styles.counter}>
        <IconButton
          icon="minus"
          variant="secondary"
          label={t('Fewer: {label}', { label })}
          aria-disabled={unticketed === 0}
          className={styles.step}
          onClick={() => countOne(-1)}
        />
        <span className={styles.number}>{unticketed}</span>
        <IconButton
          icon="plus"
          variant="secondary"
          label={t('More: {label}', { label })}
          className={styles.step}
          onClick={() => countOne(1)}
        />
        <output className="visually-hidden">{announced}</output>
      </div>
    </Card>
  );
}

function Twice({ count: { twice } }: { count: BoardingCount }) {
  if (twice.length === 0) return null;
  return (
    <Notice type="warning" title={t('Admitted by two devices: one of two people has a copy')}>
      <ul className={styles.plain}>
        {twice.map(({ party, ticket }) => (
          <li key={ticket.id}>
            <TicketName ticket={ticket} /> <span dir="auto">{party.contact_name}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The passenger list that the law asks for, and how many travelers it lacks. */
function WithoutDetails({ boat }: { boat: Boat }) {
  const counts = boat.sailings.flatMap(({ travelers_without_details: count }) => count ?? []);
  if (counts.length === 0) return null;
  return (
    <Notice
      type={sum(counts) > 0 ? 'warning' : undefined}
      title={t('Passenger list')}
      action={
        <ButtonLink variant="secondary" to={fillPath(staffPages.passengerList, { id: boat.sailings[0].id })}>
          {t('Open the passenger list')}
        </ButtonLink>
      }
    >
      {describeMissingDetails(sum(counts))}
    </Notice>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

type MissingProps = { count: BoardingCount; list: GateList; answers: Answers };

function Missing({ count: { missing, titles }, list, answers }: MissingProps) {
  if (titles.length === 0) return <p className="note">{t('No tickets are sold for this boat.')}</p>;
  if (missing.length === 0) return <p className="note">{t('All tickets sold are aboard.')}</p>;
  const tickets = missing.reduce((sum, each) => sum + each.tickets.length, 0);
  return (
    <Disclosure
      summary={t('{count, plural, one {# ticket is not aboard} other {# tickets are not aboard}}', {
        count: tickets,
      })}
    >
      <PartyList parties={missing.map(({ party }) => party)} list={list} answers={answers} />
    </Disclosure>
  );
}
