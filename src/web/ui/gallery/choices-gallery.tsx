import { useState } from 'react';
import { Money } from '../data/money.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { Counter } from '../form/counter.tsx';
import { RadioCards } from '../form/radio-cards.tsx';
import { Segmented } from '../form/segmented.tsx';
import { Switch } from '../form/switch.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';

export function ChoicesGallery() {
  const [trip, setTrip] = useState<'one-way' | 'return'>('return');
  const [fare, setFare] = useState<string | null>('flex');
  const [adults, setAdults] = useState(2);
  const [children, setChildren] = useState(0);
  const [cars, setCars] = useState(9);
  return (
    <>
      <Card title="Counters">
        <Stack>
          <Segmented
            legend="Trip"
            value={trip}
            onChange={setTrip}
            options={[
              { value: 'one-way', label: 'One way' },
              { value: 'return', label: 'Return' },
            ]}
          />
          <Counter label="Adults" value={adults} onChange={setAdults} min={1} max={9} />
          <Counter label="Children" description="4 to 15 years" value={children} onChange={setChildren} />
          <Counter
            label="Cars"
            description="Up to 5.5 m"
            value={cars}
            onChange={setCars}
            max={9}
            error="Only 3 places are left for cars."
          />
        </Stack>
      </Card>
      <Card title="Radio cards">
        <RadioCards
          legend="Fare"
          hint="For everyone in the order."
          value={fare}
          onChange={setFare}
          options={[
            {
              value: 'saver',
              label: 'Saver',
              description: 'No changes, no refund.',
              price: <Money amount={3900} currency="USD" />,
            },
            {
              value: 'flex',
              label: 'Flexible',
              description: 'Change free until one hour before sailing.',
              price: <Money amount={5450} currency="USD" />,
            },
            { value: 'night', label: 'Night', description: 'Sold out.', isDisabled: true },
          ]}
        />
      </Card>
      <Card title="Checkboxes and switches">
        <Checkbox label="I accept the conditions of carriage" error="Accept the conditions to go on." />
        <Checkbox label="Save this card" description="For next time, on this account only." defaultChecked />
        <Checkbox label="Not available" disabled />
        <Switch label="Ask for a code when I sign in" defaultChecked />
        <Switch label="Sailing alerts" description="By email, on the day." />
        <Switch label="Locked" disabled />
      </Card>
    </>
  );
}
