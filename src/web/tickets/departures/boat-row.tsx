import { useId } from 'react';
import { Link } from 'react-router';
import { formatClock, formatTime } from '#web/features/site/local-time.ts';
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
  const { to, hasLeft, statusText } = boat;
  const badge = findBoatBadge(boat);
  const checkIn = describeCheckIn(boat);
  const room = describeRoom(boat);
  const forSale = isFiltered
    ? [to].filter(({ canBuy }) => canBuy)
    : boat.destinations.filter((each) => each.canBuy);
  const [only, ...others] = hasLeft ? [] : forSale;
  const isOneTap = only !== undefined && others.length === 0;
  return (
    <li className={classes(linkRow.row, styles.row, only === undefined && linkRow.shut)}>
      <div id={id} className={styles.crossing}>
        {day !== null && <span className={styles.day}>{day}</span>}
        <DepartureTime boat={boat} />
        <p className={styles.to}>
          <span className="visually-hidden">to </span>
          {to.port.name}
        </p>
        <p className={styles.details}>{formatBoatDetails(boat)}</p>
      </div>
      {isOneTap && (
        <Link
          to={purchasePath(from, boat, only)}
          className={linkRow.target}
          aria-label={`Buy the ${readDeparture(boat).text} sailing to ${only.port.name}`}
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
          <span>Buy tickets to</span>
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

function formatBoatDetails({ to, vesselName, zoneLabel }: Boat): string {
  const { via, arrivesLocal, arrivesZoneLabel } = to;
  const arrival =
    zoneLabel === arrivesZoneLabel ? formatClock(arrivesLocal) : formatTime(arrivesLocal, arrivesZoneLabel);
  const details = [via.length > 0 && `via ${via.join(', ')}`, `arrives ${arrival}`, vesselName];
  return details.filter(Boolean).join(' · ');
}
