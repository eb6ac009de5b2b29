import { useId } from 'react';
import { Link } from 'react-router';
import { listNames } from '#web/language/lists.ts';
import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import { classes } from '#web/ui/classes.ts';
import linkRow from '#web/ui/data/link-row.module.css';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './boat-row.module.css';
import {
  type Boat,
  describeCheckIn,
  describeRoom,
  findBoatBadge,
  formatArrival,
  listForSale,
  purchasePath,
  readDeparture,
} from './departure-state.ts';

type BoatRowProps = {
  boat: Boat;
  /** Code of the port it leaves. */
  from: string;
  /** The day, if it is not that of the list. */
  day: string | null;
  /** Only the destination of the row is for sale, because the list shows one destination. */
  isFiltered: boolean;
};

/** One departing boat, with links to buy it. */
export function BoatRow({ boat, from, day, isFiltered }: BoatRowProps) {
  const id = useId();
  const { to, statusText } = boat;
  const badge = findBoatBadge(boat);
  const checkIn = describeCheckIn(boat);
  const room = describeRoom(boat);
  const [only, ...others] = listForSale(boat, isFiltered);
  const isOneTap = only !== undefined && others.length === 0;
  return (
    <li className={classes(linkRow.row, styles.row, only === undefined && linkRow.shut)}>
      <div id={id} className={styles.crossing}>
        {day !== null && <span className={styles.day}>{day}</span>}
        <DepartureTime boat={boat} />
        <p className={styles.to}>
          {rich('<hidden>to </hidden>{port}', {
            hidden,
            port: to.port.name,
          })}
        </p>
        <p className={styles.details}>{formatBoatDetails(boat)}</p>
      </div>
      {isOneTap && (
        <Link
          to={purchasePath(from, boat, only)}
          className={linkRow.target}
          aria-label={t('Buy the {departure} sailing to {port}', {
            departure: readDeparture(boat).text,
            port: only.port.name,
          })}
          aria-describedby={id}
        >
          <Icon name="chevron-right" />
        </Link>
      )}
      <div className={styles.state}>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        {checkIn && <span>{checkIn}</span>}
        {room && <p className={styles.room}>{room}</p>}
        {statusText !== '' && statusText !== room && <p className={styles.text}>{statusText}</p>}
      </div>
      {only !== undefined && others.length > 0 && (
        <div className={styles.ports}>
          <span>{t('Buy tickets to')}</span>
          {[only, ...others].map((each) => (
            <ButtonLink
              key={each.sailingId}
              to={purchasePath(from, boat, each)}
              size="small"
              variant="secondary"
            >
              {each.port.name}
            </ButtonLink>
          ))}
        </div>
      )}
    </li>
  );
}

function DepartureTime({ boat }: { boat: Boat }) {
  return (
    <p className={styles.times}>
      <ShownTime {...readDeparture(boat)} />
    </p>
  );
}

function formatBoatDetails(boat: Boat): string {
  const { to, vesselName } = boat;
  const details = [
    to.via.length > 0 && t('via {ports}', { ports: listNames(to.via) }),
    t('arrives {time}', { time: formatArrival(boat) }),
    vesselName,
  ];
  return details.filter(Boolean).join(' · ');
}
