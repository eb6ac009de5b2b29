import { MailedCodeStep } from './mailed-code-step.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import { SecondStep } from './second-step.tsx';
import type { StepProps } from './step.ts';

/** What a sign-in under way waits for. */
export function NextStep(props: StepProps) {
  const { temp, next } = props.attempt;
  switch (next) {
    case 'email_code':
      return <MailedCodeStep key={temp} {...props} />;
    case 'authenticator':
      return <SecondStep key={temp} {...props} />;
    case 'passkey':
      return <PasskeyStep key={temp} {...props} />;
  }
}
