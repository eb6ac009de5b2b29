import { useState } from 'react';
import { DatePicker } from '../calendar/date-picker.tsx';
import { CodeField } from '../form/code-field.tsx';
import { ErrorSummary } from '../form/error-summary.tsx';
import { EmailField, PhoneField, TextField } from '../form/field.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { Select } from '../form/select.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';
import { Specimens } from './specimen.tsx';

const LONG_LABEL = 'Name of the person who drives the vehicle on board, as on the license';
const LONG_TEXT = 'Maximiliane Alexandrina von Hohenzollern-Sigmaringen';
const ports = [
  { value: 'hab', label: 'Harbour Bay' },
  { value: 'isl', label: 'Island Point, by way of the Narrows and North Quay' },
];
const errors = [
  { fieldId: 'gallery-code', message: 'Enter the code' },
  { fieldId: 'gallery-date', message: 'Choose a day' },
];
const ignore = () => undefined;

export function FieldsGallery() {
  return (
    <>
      <Samples />
      <Card title="Error summary">
        <ErrorSummary errors={errors} />
      </Card>
      <Specimens
        title="Text field"
        of={TextField}
        props={{ label: 'Name' }}
        states={[
          { name: 'Empty', props: { placeholder: 'As on your papers' } },
          { name: 'Filled', props: { defaultValue: 'Maren Holt' } },
          { name: 'Focus', shown: 'focus', props: { defaultValue: 'Maren Holt' } },
          { name: 'Invalid', props: { error: 'Enter your name.' } },
          { name: 'Invalid, focus', shown: 'focus', props: { error: 'Enter your name.' } },
          { name: 'Disabled', props: { defaultValue: 'Maren Holt', disabled: true } },
          {
            name: 'Long text',
            props: { label: LONG_LABEL, hint: LONG_LABEL, defaultValue: LONG_TEXT, isOptional: true },
          },
        ]}
      />
      <Specimens
        title="Email field"
        of={EmailField}
        props={{ label: 'Email' }}
        states={[
          { name: 'Filled', props: { defaultValue: 'maren@example.com' } },
          {
            name: 'Invalid',
            props: { defaultValue: 'maren@', error: 'Enter an email address like name@example.com.' },
          },
        ]}
      />
      <Specimens
        title="Phone field"
        of={PhoneField}
        props={{ label: 'Phone', isOptional: true, placeholder: '+1 555 010 0199' }}
        states={[
          { name: 'Empty' },
          {
            name: 'Invalid',
            props: { defaultValue: '12', error: 'Enter a phone number with its area code.' },
          },
        ]}
      />
      <Specimens
        title="Password field"
        of={PasswordField}
        props={{ label: 'Password', hint: 'At least 12 characters.', defaultValue: 'correct horse' }}
        states={[
          { name: 'Filled' },
          { name: 'Focus on its button', shown: 'focus', on: 'button' },
          { name: 'Disabled', props: { disabled: true } },
        ]}
      />
      <Specimens
        title="Date picker"
        of={DatePicker}
        props={{ label: 'Return', value: '2026-07-26', onChange: ignore, today: '2026-07-22' }}
        states={[
          { name: 'Empty', props: { value: '', isOptional: true } },
          { name: 'Focus', shown: 'focus' },
          { name: 'Focus on its button', shown: 'focus', on: 'button' },
          { name: 'Invalid', props: { value: '', error: 'Choose a day.' } },
        ]}
      />
      <Specimens
        title="Code field"
        of={CodeField}
        props={{ label: '6-digit code', value: '493027', onChange: ignore }}
        states={[
          { name: 'Empty', props: { value: '', hint: 'From the email we sent.' } },
          { name: 'Filled' },
          { name: 'Invalid', props: { error: 'That code does not fit.' } },
        ]}
      />
      <Specimens
        title="Select"
        of={Select}
        props={{ label: 'From', options: ports, defaultValue: 'hab' }}
        states={[
          { name: 'Empty', props: { placeholder: 'Choose a port', defaultValue: '' } },
          { name: 'Long text', props: { defaultValue: 'isl' } },
          { name: 'Focus', shown: 'focus' },
          { name: 'Invalid', props: { error: 'Choose a port.' } },
          { name: 'Disabled', props: { disabled: true } },
        ]}
      />
    </>
  );
}

/** The controls at work. */
function Samples() {
  const [code, setCode] = useState('123');
  const [day, setDay] = useState('2026-07-24');
  return (
    <Card title="Dates and codes">
      <Stack>
        <DatePicker
          id="gallery-date"
          label="Departure"
          value={day}
          onChange={setDay}
          min="2026-07-20"
          max="2027-03-31"
          today="2026-07-22"
        />
        <CodeField id="gallery-code" label="6-digit code" value={code} onChange={setCode} />
      </Stack>
    </Card>
  );
}
