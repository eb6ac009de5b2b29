import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
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

type BoatTableProps = {
  label: string;
  boats: readonly Boat[];
  /** Code of the port they leave. */
  from: string;
  /** The day of a boat, if it is not that of the list. */
  findDay: (boat: Boat) => string | null;
  /** Only the destination of a row is for sale, because the list shows one destination. */
  isFiltered: boolean;
};

/** Departing boats on wide screens, to compare. */
export function BoatTable({ label, boats, from, findDay, isFiltered }: BoatTableProps) {
  const columns: Column<Boat>[] = [
    {
      id: 'departs',
      header: t('Departs'),
      cell: (boat) => (
        <>
          <ShownTime {...readDeparture(boat)} />
          <Note text={findDay(boat)} />
        </>
      ),
    },
    {
      id: 'to',
      header: t('To'),
      cell: ({ to: { port, via } }) => (
        <>
          <b>{port.name}</b>
          <Note text={via.length > 0 && t('via {ports}', { ports: listNames(via) })} />
        </>
      ),
    },
    { id: 'arrives', header: t('Arrives'), cell: formatArrival },
    { id: 'vessel', header: t('Vessel'), cell: ({ vesselName }) => vesselName },
    { id: 'state', header: t('State|of a sailing'), cell: (boat) => <BoatState boat={boat} /> },
    { id: 'room', header: t('Room|on a boat'), cell: formatRoom },
    {
      id: 'buy',
      header: t('Tickets'),
      cell: (boat) => <BuyLinks boat={boat} from={from} isFiltered={isFiltered} />,
    },
  ];
  return (
    <Card>
      <Table
        caption={label}
        isCaptionHidden
        columns={columns}
        rows={boats}
        getKey={({ to }) => to.sailingId}
      />
    </Card>
  );
}

function BoatState({ boat }: { boat: Boat }) {
  const { label, tone } = findBoatBadge(boat);
  const room = describeRoom(boat);
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <Note text={describeCheckIn(boat)} />
      <Note text={boat.statusText !== room && boat.statusText} />
    </>
  );
}

function BuyLinks({ boat, from, isFiltered }: { boat: Boat; from: string; isFiltered: boolean }) {
  const forSale = listForSale(boat, isFiltered);
  const departure = readDeparture(boat).text;
  return (
    <Cluster gap="xs">
      {forSale.map((to) => (
        <ButtonLink
          key={to.sailingId}
          to={purchasePath(from, boat, to)}
          size="small"
          variant="secondary"
          aria-label={t('Buy the {departure} sailing to {port}', { departure, port: to.port.name })}
        >
          {forSale.length === 1 ? t('Buy') : to.port.name}
        </ButtonLink>
      ))}
    </Cluster>
  );
}

function Note({ text }: { text: string | null | false }) {
  return text ? <p className="note">{text}</p> : null;
}

/** How much room there is, also if there is plenty; empty for a boat that has left or does not run. */
function formatRoom(boat: Boat): string {
  const { hasLeft, status, to } = boat;
  const isOver = hasLeft || status === 'canceled' || status === 'suspended';
  return describeRoom(boat) ?? (isOver ? '' : to.availabilityText);
}
