import { useState } from 'react';
import { BalanceChart } from '../data/balance-chart.tsx';
import { RouteMap } from '../data/route-map.tsx';
import { Card } from '../layout/card.tsx';

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
          currency="USD"
          startText="Nov 1"
          endText="Nov 24"
        />
      </Card>
      <Card>
        <RouteMap
          ports={ports}
          ways={[
            ['bay', 'point'],
            ['bay', 'sound'],
          ]}
          chosen={['bay', to]}
          actionOf={(id) => (id === 'bay' ? null : `To ${ports.find((port) => port.id === id)?.name}`)}
          onPress={setTo}
        />
      </Card>
    </>
  );
}
