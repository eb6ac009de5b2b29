import { useState } from 'react';
import { Checkbox } from '../form/checkbox.tsx';
import { Counter } from '../form/counter.tsx';
import { RadioCards } from '../form/radio-cards.tsx';
import { Segmented } from '../form/segmented.tsx';
import { Switch } from '../form/switch.tsx';
import { Tabs } from '../layout/tabs.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const LONG =
  'I have read the conditions of carriage, also those for vehicles with dangerous goods, and accept them';
const trips = [
  { value: 'one-way', label: 'One way' },
  { value: 'return', label: 'Return' },
] as const;
const fares = [
  { value: 'saver', label: 'Saver', description: 'No changes, no refund.', price: '$39.00' },
  { value: 'night', label: 'Night', description: 'Sold out.', isDisabled: true },
];
const views = [
  { id: 'upcoming', label: 'Upcoming' },
  { id: 'past', label: 'Past' },
  { id: 'all', label: 'All' },
] as const;
const keep = () => undefined;

export function ChoiceStates() {
  return (
    <>
      <Specimens title="Counter">
        <Specimen name="At its minimum">
          <Counter label="Adults" value={0} onChange={keep} />
        </Specimen>
        <Specimen name="At its maximum">
          <Counter label="Adults" value={9} max={9} onChange={keep} />
        </Specimen>
        <Specimen name="Focus" shown="focus" on="input">
          <Counter label="Adults" value={2} onChange={keep} />
        </Specimen>
        <Specimen name="Invalid">
          <Counter label="Cars" value={9} onChange={keep} error="Only 3 places are left for cars." />
        </Specimen>
        <Specimen name="Long text">
          <Counter
            label="Children from four to fifteen years"
            description={LONG}
            value={100}
            onChange={keep}
          />
        </Specimen>
      </Specimens>
      <Specimens title="Checkbox">
        <Specimen name="Off">
          <Checkbox label="Save this card" />
        </Specimen>
        <Specimen name="On">
          <Checkbox label="Save this card" defaultChecked />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <Checkbox label="Save this card" defaultChecked />
        </Specimen>
        <Specimen name="Invalid">
          <Checkbox label="I accept the conditions" error="Accept the conditions to go on." />
        </Specimen>
        <Specimen name="Disabled">
          <Checkbox label="Save this card" disabled />
        </Specimen>
        <Specimen name="Disabled, on">
          <Checkbox label="Save this card" disabled defaultChecked />
        </Specimen>
        <Specimen name="Long text">
          <Checkbox label={LONG} description={LONG} />
        </Specimen>
      </Specimens>
      <Specimens title="Switch">
        <Specimen name="Off">
          <Switch label="Sailing alerts" />
        </Specimen>
        <Specimen name="On">
          <Switch label="Sailing alerts" defaultChecked />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <Switch label="Sailing alerts" />
        </Specimen>
        <Specimen name="Disabled">
          <Switch label="Sailing alerts" disabled />
        </Specimen>
        <Specimen name="Disabled, on">
          <Switch label="Sailing alerts" disabled defaultChecked />
        </Specimen>
        <Specimen name="Long text">
          <Switch label={LONG} description={LONG} />
        </Specimen>
      </Specimens>
      <GroupStates />
    </>
  );
}

function GroupStates() {
  const [view, setView] = useState<(typeof views)[number]['id']>('upcoming');
  return (
    <>
      <Specimens title="Radio cards">
        <Specimen name="None chosen, one disabled">
          <RadioCards legend="Fare" value={null} onChange={keep} options={fares} />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <RadioCards legend="Fare" value="saver" onChange={keep} options={fares} />
        </Specimen>
        <Specimen name="Invalid">
          <RadioCards legend="Fare" value={null} onChange={keep} options={fares} error="Choose a fare." />
        </Specimen>
        <Specimen name="Long text">
          <RadioCards
            legend={LONG}
            hint={LONG}
            value="long"
            onChange={keep}
            options={[{ value: 'long', label: LONG, description: LONG, price: '$1,184.50' }]}
          />
        </Specimen>
      </Specimens>
      <Specimens title="Segmented">
        <Specimen name="Default">
          <Segmented legend="Trip" value="return" onChange={keep} options={[...trips]} />
        </Specimen>
        <Specimen name="Focus" shown="focus" on=":checked">
          <Segmented legend="Trip" value="return" onChange={keep} options={[...trips]} />
        </Specimen>
        <Specimen name="Long text">
          <Segmented
            legend="Which of the crossings"
            value="out"
            onChange={keep}
            options={[
              { value: 'out', label: 'From Harbour Bay to Island Point' },
              { value: 'back', label: 'Back from Island Point' },
            ]}
          />
        </Specimen>
      </Specimens>
      <Specimens title="Tabs">
        <Specimen name="Default">
          <Tabs label="Orders" tabs={views} current={view} onChange={setView}>
            <p>Orders: {view}</p>
          </Tabs>
        </Specimen>
        <Specimen name="Hover" shown="hover" on="[aria-selected=false]">
          <Tabs label="Orders, hovered" tabs={views} current="upcoming" onChange={keep}>
            <p>Nothing chosen yet</p>
          </Tabs>
        </Specimen>
        <Specimen name="Focus" shown="focus" on="[aria-selected=true]">
          <Tabs label="Orders, focused" tabs={views} current="past" onChange={keep}>
            <p>Past orders</p>
          </Tabs>
        </Specimen>
        <Specimen name="Long text">
          <Tabs
            label="Orders, at length"
            tabs={[
              { id: 'out', label: 'From Harbour Bay to Island Point' },
              { id: 'back', label: 'Back from Island Point by way of North Quay' },
            ]}
            current="back"
            onChange={keep}
          >
            <p>The way back</p>
          </Tabs>
        </Specimen>
      </Specimens>
    </>
  );
}
