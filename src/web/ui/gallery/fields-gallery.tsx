import { useState } from 'react';
import { DatePicker } from '../calendar/date-picker.tsx';
import { CodeField } from '../form/code-field.tsx';
import { ErrorSummary } from '../form/error-summary.tsx';
import { EmailField, PhoneField, TextField } from '../form/field.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { Select } from '../form/select.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';
import { specimens } from './specimen.tsx';

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
      {specimens('Text field', TextField, {
        all: { label: 'Name' },
        Empty: { placeholder: 'As on your papers' },
        Filled: { defaultValue: 'Maren Holt' },
        Focus: { shown: 'focus', defaultValue: 'Maren Holt' },
        Invalid: { error: 'Enter your name.' },
        'Invalid, focus': { shown: 'focus', error: 'Enter your name.' },
        Disabled: { defaultValue: 'Maren Holt', disabled: true },
        'Long text': { label: LONG_LABEL, hint: LONG_LABEL, defaultValue: LONG_TEXT, isOptional: true },
      })}
      {specimens('Email field', EmailField, {
        all: { label: 'Email' },
        Filled: { defaultValue: 'maren@example.com' },
        Invalid: { defaultValue: 'maren@', error: 'Enter an email address like name@example.com.' },
      })}
      {specimens('Phone field', PhoneField, {
        all: { label: 'Phone', isOptional: true, placeholder: '+1 555 010 0199' },
        Empty: {},
        Invalid: { defaultValue: '12', error: 'Enter a phone number with its area code.' },
      })}
      {specimens('Password field', PasswordField, {
        all: { label: 'Password', hint: 'At least 12 characters.', defaultValue: 'correct horse' },
        Filled: {},
        'Focus on its button': { shown: 'focus', on: 'button' },
        Disabled: { disabled: true },
      })}
      {specimens('Date picker', DatePicker, {
        all: { label: 'Return', value: '2026-07-26', onChange: ignore, today: '2026-07-22' },
        Empty: { value: '', isOptional: true },
        Focus: { shown: 'focus' },
        'Focus on its button': { shown: 'focus', on: 'button' },
        Invalid: { value: '', error: 'Choose a day.' },
      })}
      {specimens('Code field', CodeField, {
        all: { label: '6-digit code', value: '493027', onChange: ignore },
        Empty: { value: '', hint: 'From the email we sent.' },
        Filled: {},
        Invalid: { error: 'That code does not fit.' },
      })}
      {specimens('Select', Select, {
        all: { label: 'From', options: ports, defaultValue: 'hab' },
        Empty: { placeholder: 'Choose a port', defaultValue: '' },
        'Long text': { defaultValue: 'isl' },
        Focus: { shown: 'focus' },
        Invalid: { error: 'Choose a port.' },
        Disabled: { disabled: true },
      })}
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
