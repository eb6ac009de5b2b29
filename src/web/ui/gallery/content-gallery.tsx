import { formatMoney } from '../data/money.tsx';
import { type Column, Table } from '../data/table.tsx';
import { Badge } from '../feedback/badge.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ButtonLink } from '../form/button.tsx';
import { Card } from '../layout/card.tsx';
import styles from './gallery.module.css';
import { Specimen, Specimens } from './specimen.tsx';

type Entry = { id: string; what: string; when: string; amount: number };

const LONG = 'Crossing from Harbour Bay to Island Point by way of the Narrows, with a vehicle above 2.10 m';
const entries: Entry[] = [
  { id: '1', what: 'Top-up', when: '07/22/2026, 9:40 AM', amount: 5000 },
  { id: '2', what: 'Crossing', when: '07/24/2026, 11:05 AM', amount: -1250 },
];
const longEntries: Entry[] = [{ id: '3', what: LONG, when: LONG, amount: -118_450_000 }];
const columns: Column<Entry>[] = [
  { id: 'what', header: 'What', cell: ({ what }) => what },
  { id: 'when', header: 'When', cell: ({ when }) => when },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount, 'USD'), isFigure: true },
];

export function ContentGallery() {
  return (
    <>
      <Specimens title="Cards">
        <Specimen name="Plain">
          <Card title="Trip card" titleAs="h4" action={<Badge tone="success">Active</Badge>}>
            $42.00 left
          </Card>
        </Specimen>
        <Specimen name="Sunken">
          <Card title="Trip card" titleAs="h4" tone="sunken">
            $42.00 left
          </Card>
        </Specimen>
        <Specimen name="Accent">
          <Card title="Trip card" titleAs="h4" tone="accent">
            $42.00 left
          </Card>
        </Specimen>
        <Specimen name="All of it a link, focus" shown="focus">
          <Card>
            <a href="#main" data-card-link="">
              HL-7Q4K
            </a>
          </Card>
        </Specimen>
        <Specimen name="Long text">
          <Card title={LONG} titleAs="h4" action={<Badge tone="warning">{LONG}</Badge>}>
            {LONG}
          </Card>
        </Specimen>
        <Specimen name="Empty">
          <EmptyState
            title="No trip cards yet"
            titleAs="h4"
            icon="trip-card"
            action={<ButtonLink to="/trip_cards">Order a card</ButtonLink>}
          >
            A trip card holds money for crossings and opens the gate.
          </EmptyState>
        </Specimen>
      </Specimens>
      <Card className={styles.wide} title="Tables">
        <Table caption="With rows" columns={columns} rows={entries} keyOf={({ id }) => id} />
        <Table caption="With long text" columns={columns} rows={longEntries} keyOf={({ id }) => id} />
        <Table
          caption="With none"
          columns={columns}
          rows={[]}
          keyOf={({ id }) => id}
          empty="What you pay with this card is listed here."
        />
      </Card>
      <Card title="A table where it is narrow">
        <Table caption="Entries" isCaptionHidden columns={columns} rows={entries} keyOf={({ id }) => id} />
      </Card>
    </>
  );
}
