import { type ComponentType, lazy, Suspense, useState } from 'react';
import { EmailField, type TextFieldProps } from '#web/ui/form/field.tsx';
import type { MailTypoProps } from './mail-typo.tsx';

/** The address is taken as typed if it cannot be checked. */
const MailTypo = lazy(() =>
  import('./mail-typo.tsx').then(
    ({ MailTypo }): { default: ComponentType<MailTypoProps> } => ({ default: MailTypo }),
    () => ({ default: () => null }),
  ),
);

type MailFieldProps = Omit<TextFieldProps, 'onBlur'> & Pick<MailTypoProps, 'onAccept'> & { value: string };

/** An email field that asks about a slip in the name of a well-known host once it is left. */
export function MailField({ onAccept, ...field }: MailFieldProps) {
  const [left, setLeft] = useState('');
  return (
    <div>
      <EmailField {...field} onBlur={() => setLeft(field.value)} />
      {left !== '' && left === field.value && (
        <Suspense>
          <MailTypo typed={left} onAccept={onAccept} />
        </Suspense>
      )}
    </div>
  );
}
