import { useState } from 'react';
import { Checkbox } from '../form/checkbox.tsx';
import { Counter } from '../form/counter.tsx';
import { RadioCards } from '../form/radio-cards.tsx';
import { Segmented } from '../form/segmented.tsx';
import { Switch } from '../form/switch.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';
import { Tabs } from '../layout/tabs.tsx';
import { specimens } from './specimen.tsx';

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
      {specimens('Counter', Counter, {
        all: { label: 'Adults', value: 2, onChange: ignore },
        'At its minimum': { value: 0 },
        'At its maximum': { value: 9, max: 9 },
        Focus: { shown: 'focus', on: 'input' },
        Invalid: { description: 'Up to 5.5 m', error: 'Only 3 places are left for cars.' },
        'Long text': { label: 'Children from four to fifteen years', description: LONG, value: 100 },
      })}
      {specimens('Checkbox', Checkbox, {
        all: { label: 'Save this card' },
        Off: {},
        On: { defaultChecked: true },
        Focus: { shown: 'focus', defaultChecked: true },
        Invalid: { error: 'Accept the conditions to go on.' },
        Disabled: { disabled: true },
        'Disabled, on': { disabled: true, defaultChecked: true },
        'Long text': { label: LONG, description: LONG, error: LONG },
      })}
      {specimens('Switch', Switch, {
        all: { label: 'Sailing alerts' },
        Off: {},
        On: { defaultChecked: true },
        Focus: { shown: 'focus' },
        Disabled: { disabled: true },
        'Disabled, on': { disabled: true, defaultChecked: true },
        'Long text': { label: LONG, description: LONG },
      })}
      {specimens('Radio cards', RadioCards<string>, {
        all: { legend: 'Fare', value: 'saver', onChange: ignore, options: fares },
        'None chosen': { value: null },
        Focus: { shown: 'focus' },
        'Long text': {
          legend: LONG,
          options: [{ value: 'saver', label: LONG, description: LONG, price: '$1,184.50' }],
        },
      })}
      {specimens('Segmented', Segmented<string>, {
        all: { legend: 'Trip', value: 'return', onChange: ignore, options: trips },
        Default: {},
        Focus: { shown: 'focus', on: ':checked' },
        Invalid: { hint: 'For everyone.', error: 'Choose the length of the trip.' },
        'Long text': {
          legend: 'Which of the crossings',
          options: [
            { value: 'return', label: 'From Harbour Bay to Island Point' },
            { value: 'back', label: 'Back from Island Point' },
          ],
        },
      })}
      {specimens('Tabs', Tabs<string>, {
        all: { label: 'Sailings', tabs: views, current: 'past', onChange: ignore, children: 'None' },
        Hover: { shown: 'hover', on: '[aria-selected=false]' },
        Focus: { shown: 'focus', on: '[aria-selected=true]' },
        'Long text': {
          tabs: [
            { id: 'out', label: 'From Harbour Bay to Island Point' },
            { id: 'past', label: 'Back from Island Point by way of North Quay' },
          ],
        },
      })}
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
