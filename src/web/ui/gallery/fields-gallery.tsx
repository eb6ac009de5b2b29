import { useState } from 'react';
import { DatePicker } from '../calendar/date-picker.tsx';
import { CodeField } from '../form/code-field.tsx';
import { ErrorSummary } from '../form/error-summary.tsx';
import { EmailField, PhoneField, TextArea, TextField } from '../form/field.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { Select } from '../form/select.tsx';
import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';

const ports = [
  { value: 'hab', label: 'Harbour Bay' },
  { value: 'isl', label: 'Island Point' },
  { value: 'nor', label: 'North Quay (closed)', isDisabled: true },
];

const errors = [
  { fieldId: 'gallery-email', message: 'Enter an email address' },
  { fieldId: 'gallery-date', message: 'Choose a day' },
];

export function FieldsGallery() {
  const [code, setCode] = useState('123');
  const [day, setDay] = useState('2026-07-24');
  const [otherDay, setOtherDay] = useState('');
  return (
    <>
      <Card title="Text">
        <Stack>
          <TextField label="Name" defaultValue="Maren Holt" autoComplete="name" />
          <EmailField
            id="gallery-email"
            label="Email"
            hint="Your tickets go here."
            error="Enter an email address like name@example.com."
            defaultValue="maren@"
          />
          <PhoneField label="Phone" isOptional placeholder="+1 555 010 0199" />
          <PasswordField label="Password" hint="At least 12 characters." defaultValue="correct horse" />
          <TextField label="Order" disabled defaultValue="HL-7Q4K" />
        </Stack>
      </Card>
      <Card title="Dates, codes, choices from a list">
        <Stack>
          <DatePicker
            id="gallery-date"
            label="Departure"
            value={day}
            onChange={setDay}
            min="2026-07-20"
            max="2027-03-31"
            today="2026-07-22"
            isDateDisabled={(iso) => iso.endsWith('-28')}
            noteOf={(iso) => (iso.endsWith('5') ? '$42' : undefined)}
          />
          <DatePicker
            label="Return"
            isOptional
            value={otherDay}
            onChange={setOtherDay}
            error="Choose a day"
          />
          <CodeField label="6-digit code" hint="From the email we sent." value={code} onChange={setCode} />
          <Select label="From" options={ports} placeholder="Choose a port" defaultValue="" />
          <TextArea label="Anything we should know" isOptional />
        </Stack>
      </Card>
      <ErrorSummaryCard />
    </>
  );
}

function ErrorSummaryCard() {
  const [shown] = useState(errors);
  return (
    <Card title="Error summary">
      <ErrorSummary errors={shown} />
    </Card>
  );
}
