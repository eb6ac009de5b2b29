import { useState } from 'react';
import { DatePicker } from '../calendar/date-picker.tsx';
import { CodeField } from '../form/code-field.tsx';
import { EmailField, PhoneField, TextArea, TextField } from '../form/field.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { Select } from '../form/select.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const LONG_LABEL = 'Name of the person who drives the vehicle on board, as on the license';
const LONG_TEXT = 'Maximiliane Alexandrina von Hohenzollern-Sigmaringen';
const ports = [
  { value: 'hab', label: 'Harbour Bay' },
  { value: 'isl', label: 'Island Point, by way of the Narrows and North Quay' },
];
const keep = () => undefined;

export function FieldStates() {
  return (
    <>
      <Specimens title="Text field">
        <Specimen name="Empty">
          <TextField label="Name" placeholder="As on your papers" />
        </Specimen>
        <Specimen name="Filled">
          <TextField label="Name" defaultValue="Maren Holt" />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <TextField label="Name" defaultValue="Maren Holt" />
        </Specimen>
        <Specimen name="Invalid">
          <TextField label="Name" error="Enter your name." />
        </Specimen>
        <Specimen name="Invalid, focus" shown="focus">
          <TextField label="Name" error="Enter your name." />
        </Specimen>
        <Specimen name="Disabled">
          <TextField label="Name" defaultValue="Maren Holt" disabled />
        </Specimen>
        <Specimen name="Long text">
          <TextField label={LONG_LABEL} hint={LONG_LABEL} defaultValue={LONG_TEXT} isOptional />
        </Specimen>
      </Specimens>
      <Specimens title="Email, phone, password">
        <Specimen name="Email">
          <EmailField label="Email" defaultValue="maren@example.com" />
        </Specimen>
        <Specimen name="Email, invalid">
          <EmailField
            label="Email"
            defaultValue="maren@"
            error="Enter an email address like name@example.com."
          />
        </Specimen>
        <Specimen name="Phone, empty">
          <PhoneField label="Phone" isOptional placeholder="+1 555 010 0199" />
        </Specimen>
        <Specimen name="Phone, invalid">
          <PhoneField label="Phone" defaultValue="12" error="Enter a phone number with its area code." />
        </Specimen>
        <Specimen name="Password">
          <PasswordField label="Password" hint="At least 12 characters." defaultValue="correct horse" />
        </Specimen>
        <Specimen name="Password, focus on its button" shown="focus" on="button">
          <PasswordField label="Password" defaultValue="correct horse" />
        </Specimen>
        <Specimen name="Password, disabled">
          <PasswordField label="Password" defaultValue="correct horse" disabled />
        </Specimen>
      </Specimens>
      <PickedFields />
      <Specimens title="Select and text area">
        <Specimen name="Empty">
          <Select label="From" options={ports} placeholder="Choose a port" defaultValue="" />
        </Specimen>
        <Specimen name="Long text">
          <Select label="From" options={ports} defaultValue="isl" />
        </Specimen>
        <Specimen name="Focus" shown="focus">
          <Select label="From" options={ports} defaultValue="hab" />
        </Specimen>
        <Specimen name="Invalid">
          <Select
            label="From"
            options={ports}
            placeholder="Choose a port"
            defaultValue=""
            error="Choose a port."
          />
        </Specimen>
        <Specimen name="Disabled">
          <Select label="From" options={ports} defaultValue="hab" disabled />
        </Specimen>
        <Specimen name="Text area">
          <TextArea label="Anything we should know" isOptional rows={2} />
        </Specimen>
        <Specimen name="Text area, invalid">
          <TextArea label="Why" rows={2} error="Say in a few words what happened." />
        </Specimen>
      </Specimens>
    </>
  );
}

function PickedFields() {
  const [day, setDay] = useState('2026-07-24');
  const [code, setCode] = useState('493');
  const picked = { value: day, onChange: setDay, today: '2026-07-22' };
  return (
    <Specimens title="Date picker and code field">
      <Specimen name="Filled">
        <DatePicker label="Departure" {...picked} />
      </Specimen>
      <Specimen name="Empty">
        <DatePicker label="Return" value="" onChange={keep} isOptional />
      </Specimen>
      <Specimen name="Focus" shown="focus">
        <DatePicker label="Departure" {...picked} />
      </Specimen>
      <Specimen name="Focus on its button" shown="focus" on="button">
        <DatePicker label="Departure" {...picked} />
      </Specimen>
      <Specimen name="Invalid">
        <DatePicker label="Return" value="" onChange={keep} error="Choose a day." />
      </Specimen>
      <Specimen name="Disabled">
        <DatePicker label="Departure" {...picked} isDisabled />
      </Specimen>
      <Specimen name="Code">
        <CodeField label="6-digit code" hint="From the email we sent." value={code} onChange={setCode} />
      </Specimen>
      <Specimen name="Code, invalid">
        <CodeField label="6-digit code" value="493027" onChange={keep} error="That code does not fit." />
      </Specimen>
      <Specimen name="Code, disabled">
        <CodeField label="6-digit code" value="493027" onChange={keep} isDisabled />
      </Specimen>
    </Specimens>
  );
}
