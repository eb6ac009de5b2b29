import { useState } from 'react';
import { BalanceChart } from '../data/balance-chart.tsx';
import { DefinitionList } from '../data/definition-list.tsx';
import { FullnessBar } from '../data/fullness-bar.tsx';
import { formatShortMoney, Money } from '../data/money.tsx';
import { PriceBreakdown } from '../data/price-breakdown.tsx';
import { RouteLine } from '../data/route-line.tsx';
import { RouteMap } from '../data/route-map.tsx';
import { TicketFrame } from '../data/ticket-frame.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Remaining } from '../feedback/countdown.tsx';
import { ProgressSteps } from '../feedback/progress-steps.tsx';
import { Card } from '../layout/card.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';

const steps = [
  { id: 'trip', label: 'Trip' },
  { id: 'sailing', label: 'Sailing' },
  { id: 'details', label: 'Details' },
  { id: 'pay', label: 'Pay' },
];

const from = { place: 'Harbour Bay', time: { text: '09:40' }, note: 'Fri 24 Jul' };
const to = { place: 'Island Point', time: { text: '11:05' }, note: 'Fri 24 Jul' };

const lateFrom = { ...from, time: { text: '10:15', replaced: '09:40' } };
const lateTo = { ...to, time: { text: '11:40', replaced: '11:05' } };

export function TravelGallery() {
  const [step, setStep] = useState('details');
  return (
    <>
      <Stack>
        <Card title="Purchase">
          <Stack>
            <ProgressSteps label="Purchase" steps={steps} current={step} onBack={setStep} />
            <Cluster justify="between">
              <Remaining label="Held for you:" seconds={540} />
              <Remaining label="About to expire" seconds={0} />
            </Cluster>
          </Stack>
        </Card>
        <Card>
          <Stack>
            <RouteLine from={from} to={to} duration="1 h 25 min" />
            <RouteLine from={lateFrom} to={lateTo} duration="1 h 25 min" />
            <Cluster justify="between">
              <FullnessBar level={0.35} text="64 places left" />
              <FullnessBar level={0.92} text="7 left" />
              <FullnessBar level={1} text="Full" />
            </Cluster>
          </Stack>
        </Card>
        <Card tone="highlight">
          <RouteLine size="large" from={from} to={to} duration="1 h 25 min" />
        </Card>
      </Stack>
      <Card title="Price">
        <PriceBreakdown
          currency="USD"
          lines={[
            { id: 'adults', label: '2 adults', detail: 'Flexible', amount: 10900 },
            { id: 'car', label: 'Car up to 5.5 m', amount: 8450 },
            { id: 'card', label: 'Trip card', detail: 'Ending 4821', amount: -900 },
          ]}
          total={{ amount: 18450 }}
        />
      </Card>
      <Ticket />
      <Ticket isVoid />
      <Card title="Details" action={<Badge tone="success">Paid</Badge>}>
        <DefinitionList
          items={[
            { term: 'Order', details: 'HL-7Q4K' },
            { term: 'Boat', details: 'MV Skerry' },
            { term: 'Yen', details: <Money amount={1200} currency="JPY" /> },
            { term: 'Dinar', details: <Money amount={1200} currency="KWD" /> },
          ]}
        />
      </Card>
    </>
  );
}

function Ticket({ isVoid = false }: { isVoid?: boolean }) {
  return (
    <TicketFrame
      header={
        <>
          <span>Harbour Line</span>
          <Badge tone={isVoid ? 'danger' : 'success'}>{isVoid ? 'Refunded' : 'Valid'}</Badge>
        </>
      }
      code={<SampleCode />}
      codeCaption="HL-7Q4K-2"
      isVoid={isVoid}
      voidText="Refunded"
    >
      <Stack>
        <RouteLine size="large" from={from} to={to} duration="1 h 25 min" />
        <DefinitionList
          items={[
            { term: 'Passengers', details: '2 adults, 1 child' },
            { term: 'Vehicle', details: 'Car up to 5.5 m' },
          ]}
        />
      </Stack>
    </TicketFrame>
  );
}

function SampleCode() {
  return (
    <svg
      viewBox="0 0 21 21"
      width="176"
      height="176"
      role="img"
      aria-label="Ticket code"
      shapeRendering="crispEdges"
    >
      {Array.from({ length: 441 }, (_, cell) => cell)
        .filter((cell) => (cell * 7919) % 13 < 6)
        .map((cell) => (
          <rect key={cell} x={cell % 21} y={Math.floor(cell / 21)} width="1" height="1" />
        ))}
    </svg>
  );
}

const DAY = 86_400_000;

const balances = [5000, 4150, 3300, 1575, 6575, 5725, 4800, 3950].map((balance, index, all) => ({
  at: index * 3 * DAY,
  balance,
  isTopUp: balance > (all[index - 1] ?? 0),
}));

const ports = [
  { id: 'bay', name: 'Harbour Bay', lat: 47.95, lon: -122.42 },
  { id: 'point', name: 'Island Point', lat: 48.03, lon: -122.59 },
  { id: 'sound', name: 'North Sound', lat: 48.44, lon: -123.3 },
];

export function ChartsGallery() {
  const [to, setTo] = useState('point');
  return (
    <>
      <Card>
        <BalanceChart
          title="Balance over time"
          summary="The balance was $50.00 on Nov 1, and is $39.50 on Nov 24."
          points={balances}
          until={23 * DAY}
          formatAmount={(amount) => formatShortMoney(amount, 'USD')}
          startText="Nov 1"
          endText="Nov 24"
        />
      </Card>
      <Card>
        <RouteMap
          ports={ports}
          journeys={[
            ['bay', 'point'],
            ['bay', 'sound'],
          ]}
          chosen={['bay', to]}
          describeAction={(id) => (id === 'bay' ? null : `To ${ports.find((port) => port.id === id)?.name}`)}
          onPress={setTo}
        />
      </Card>
    </>
  );
}
