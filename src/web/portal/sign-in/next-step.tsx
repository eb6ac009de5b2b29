import { MailedCodeStep } from './mailed-code-step.tsx';
import { PasskeyStep, SecondStep } from './second-step.tsx';
import type { StepProps } from './use-sign-in.ts';

const STEPS = { email_code: MailedCodeStep, authenticator: SecondStep, passkey: PasskeyStep };

/** The form of the step that a sign-in waits for. */
export function NextStep(props: StepProps) {
  const Step = STEPS[props.challenge.next];
  return <Step key={props.challenge.temp} {...props} />;
}
