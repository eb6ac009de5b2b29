import { useState } from 'react';
import { Checkbox } from '../form/checkbox.tsx';
import { Counter } from '../form/counter.tsx';
import { RadioCards } from '../form/radio-cards.tsx';
import { Segmented } from '../form/segmented.tsx';
import { Switch } from '../form/switch.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';
import { Tabs } from '../layout/tabs.tsx';
import { Specimens } from './specimen.tsx';

const LONG =
  'I have read the conditions of carriage, also those for vehicles with dangerous goods, and accept them';
const trips = [
  { value: 'one-way', label: 'One way' },
  { value: 'return', label: 'Return' },
];
const fares = [
  { value: 'saver', label: 'Saver', description: 'No changes, no refund.', price: '$39.00' },
  { value: 'flex', label: 'Flexible', description: 'Change free until one hour before sailing.' },
];
const views = [
  { id: 'upcoming', label: 'Upcoming' },
  { id: 'past', label: 'Past' },
  { id: 'all', label: 'All' },
];
const ignore = () => undefined;

export function ChoicesGallery() {
  return (
    <>
      <Samples />
      <Specimens
        title="Counter"
        of={Counter}
        props={{ label: 'Adults', value: 2, onChange: ignore }}
        states={[
          { name: 'At its minimum', props: { value: 0 } },
          { name: 'At its maximum', props: { value: 9, max: 9 } },
          { name: 'Focus', shown: 'focus', on: 'input' },
          {
            name: 'Invalid',
            props: { description: 'Up to 5.5 m', error: 'Only 3 places are left for cars.' },
          },
          {
            name: 'Long text',
            props: { label: 'Children from four to fifteen years', description: LONG, value: 100 },
          },
        ]}
      />
      <Specimens
        title="Checkbox"
        of={Checkbox}
        props={{ label: 'Save this card' }}
        states={[
          { name: 'Off' },
          { name: 'On', props: { defaultChecked: true } },
          { name: 'Focus', shown: 'focus', props: { defaultChecked: true } },
          { name: 'Invalid', props: { error: 'Accept the conditions to go on.' } },
          { name: 'Disabled', props: { disabled: true } },
          { name: 'Disabled, on', props: { disabled: true, defaultChecked: true } },
          { name: 'Long text', props: { label: LONG, description: LONG, error: LONG } },
        ]}
      />
      <Specimens
        title="Switch"
        of={Switch}
        props={{ label: 'Sailing alerts' }}
        states={[
          { name: 'Off' },
          { name: 'On', props: { defaultChecked: true } },
          { name: 'Focus', shown: 'focus' },
          { name: 'Disabled', props: { disabled: true } },
          { name: 'Disabled, on', props: { disabled: true, defaultChecked: true } },
          { name: 'Long text', props: { label: LONG, description: LONG } },
        ]}
      />
      <Specimens
        title="Radio cards"
        of={RadioCards<string>}
        props={{ legend: 'Fare', value: 'saver', onChange: ignore, options: fares }}
        states={[
          { name: 'None chosen', props: { value: null } },
          { name: 'Focus', shown: 'focus' },
          {
            name: 'Long text',
            props: {
              legend: LONG,
              options: [{ value: 'saver', label: LONG, description: LONG, price: '$1,184.50' }],
            },
          },
        ]}
      />
      <Specimens
        title="Segmented"
        of={Segmented<string>}
        props={{ legend: 'Trip', value: 'return', onChange: ignore, options: trips }}
        states={[
          { name: 'Default' },
          { name: 'Focus', shown: 'focus', on: ':checked' },
          { name: 'Invalid', props: { hint: 'For everyone.', error: 'Choose the length of the trip.' } },
          {
            name: 'Long text',
            props: {
              legend: 'Which of the crossings',
              options: [
                { value: 'return', label: 'From Harbour Bay to Island Point' },
                { value: 'back', label: 'Back from Island Point' },
              ],
            },
          },
        ]}
      />
      <Specimens
        title="Tabs"
        of={Tabs<string>}
        props={{ label: 'Sailings', tabs: views, current: 'past', onChange: ignore, children: 'None' }}
        states={[
          { name: 'Hover', shown: 'hover', on: '[aria-selected=false]' },
          { name: 'Focus', shown: 'focus', on: '[aria-selected=true]' },
          {
            name: 'Long text',
            props: {
              tabs: [
                { id: 'out', label: 'From Harbour Bay to Island Point' },
                { id: 'past', label: 'Back from Island Point by way of North Quay' },
              ],
            },
          },
        ]}
      />
    </>
  );
}

/** The controls at work. */
function Samples() {
  const [trip, setTrip] = useState('return');
  const [adults, setAdults] = useState(2);
  const [fare, setFare] = useState('saver');
  const [view, setView] = useState('upcoming');
  return (
    <>
      <Card title="Trip">
        <Stack>
          <Segmented legend="Trip" value={trip} onChange={setTrip} options={trips} />
          <Counter label="Adults" value={adults} onChange={setAdults} min={1} max={9} />
        </Stack>
      </Card>
      <Card title="Fare">
        <RadioCards legend="Fare" value={fare} onChange={setFare} options={fares} />
      </Card>
      <Card title="Orders">
        <Tabs label="Orders" tabs={views} current={view} onChange={setView}>
          <p>Orders: {view}</p>
        </Tabs>
      </Card>
    </>
  );
}
