import { formatMoney } from '../data/money.tsx';
import { type Column, Table } from '../data/table.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Card } from '../layout/card.tsx';
import { Fold, FoldGroup } from '../layout/fold.tsx';
import styles from './gallery.module.css';
import { specimens } from './specimen.tsx';

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
  const table = { columns, rows: entries, getKey: ({ id }: Entry) => id };
  return (
    <>
      {specimens('Card', Card, {
        all: { title: 'Trip card', children: '$42.00 left' },
        Plain: { action: <Badge tone="success">Active</Badge> },
        Sunken: { tone: 'sunken' },
        Highlight: { tone: 'highlight' },
        'All of it a link, focus': {
          shown: 'focus',
          title: undefined,
          children: (
            <a href="#main" data-card-link="">
              HL-7Q4K
            </a>
          ),
        },
        'Long text': { title: LONG, action: <Badge tone="warning">{LONG}</Badge>, children: LONG },
      })}
      {specimens('Fold', Fold, {
        all: { title: 'Price', note: '$42.00', children: 'Two adults, one car' },
        Closed: {},
        Hover: { shown: 'hover', on: 'summary' },
        Focus: { shown: 'focus', on: 'summary' },
        Open: { startsOpen: true },
        'Without note': { note: undefined },
        'Long text': { title: LONG, note: LONG, children: LONG },
      })}
      {specimens('Group of folds', FoldGroup, {
        all: { children: null },
        'Closed and open': {
          children: (
            <>
              <Fold title="Price" note="$42.00">
                Two adults, one car
              </Fold>
              <Fold title="Contact" startsOpen>
                Ada Lovelace
              </Fold>
            </>
          ),
        },
      })}
      <Card className={styles.wide} title="Tables">
        <Table {...table} caption="With rows" />
        <Table {...table} caption="With long text" rows={longEntries} />
        <Table {...table} caption="With none" rows={[]} />
      </Card>
      <Card title="A table where it is narrow">
        <Table {...table} caption="Entries" isCaptionHidden />
      </Card>
    </>
  );
}
