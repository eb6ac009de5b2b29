import { useState } from 'react';
import { formatShortDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import styles from './boat-bar.module.css';
import { describeBoatState, formatBoatTime, formatDestinations, formatExpectedTime } from './boat-texts.ts';
import type { Boat } from './boats.ts';

type BoatBarProps = {
  boat: Boat;
  boats: readonly Boat[];
  port: string;
  deviceName: string;
  /** With the voyage; null: the next boat. */
  onChoose: (voyageId: string | null) => void;
  onChangeSetup: () => void;
};

/** The boat at the gate; others are one press away. */
export function BoatBar({ boat, boats, port, deviceName, onChoose, onChangeSetup }: BoatBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [sailing] = boat.sailings;
  return (
    <section className={styles.bar} aria-label={t('Boat at this gate')}>
      <div className={styles.boat}>
        <h1 className={styles.time}>
          <BoatTime boat={boat} /> <span className={styles.destination}>{formatDestinations(boat)}</span>
        </h1>
        <p className={styles.details}>
          {t('{vessel}, from {port}', { vessel: sailing.vessel, port })} <BoatState boat={boat} />
        </p>
      </div>
      <Button variant="secondary" size="small" icon="swap" onClick={() => setIsOpen(true)}>
        {t('Other boat')}
      </Button>
      {isOpen && (
        <Modal title={t('Boats from {port}', { port })} onClose={() => setIsOpen(false)}>
          <Stack gap="sm">
            <BoatList
              boats={boats}
              current={boat}
              onChoose={(voyageId) => {
                onChoose(voyageId);
                setIsOpen(false);
              }}
            />
            <Button variant="quiet" block onClick={onChangeSetup}>
              {t('Change port or device name ({name})', { name: deviceName })}
            </Button>
          </Stack>
        </Modal>
      )}
    </section>
  );
}

type BoatListProps = { boats: readonly Boat[]; current: Boat; onChoose: (voyageId: string) => void };

function BoatList({ boats, current, onChoose }: BoatListProps) {
  return (
    <ul className={styles.list}>
      {boats.map((boat) => {
        const [{ voyage_id, service_date }] = boat.sailings;
        const isCurrent = voyage_id === current.sailings[0].voyage_id;
        return (
          <li key={voyage_id}>
            <button
              type="button"
              className={styles.choice}
              aria-current={isCurrent || undefined}
              onClick={() => onChoose(voyage_id)}
            >
              <strong>
                <BoatTime boat={boat} />
              </strong>{' '}
              <span>{formatDestinations(boat)}</span>{' '}
              <span className="note">{formatShortDay(service_date)}</span> <BoatState boat={boat} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function BoatTime({ boat }: { boat: Boat }) {
  const [sailing] = boat.sailings;
  const expected = formatExpectedTime(sailing);
  const planned = formatBoatTime(sailing);
  return (
    <ShownTime
      text={expected ?? planned}
      replaced={expected === null ? null : planned}
      instant={boat.leavesAt}
    />
  );
}

function BoatState({ boat }: { boat: Boat }) {
  const text = describeBoatState(boat);
  const isCanceled = boat.sailings[0].status !== 'scheduled';
  return text && <Badge tone={isCanceled ? 'danger' : 'neutral'}>{text}</Badge>;
}
