import { ChangeToPay } from './actions/change-to-pay.tsx';
import { AttentionSection } from './attention-section.tsx';
import type { TravelChoiceProps } from './rebook/choice-cards.tsx';
import { TravelChoice } from './rebook/travel-choice.tsx';

/** What is unusual about an order, and the choices that the passenger has. */
export function Attention(props: TravelChoiceProps) {
  return (
    <AttentionSection order={props.order}>
      <Choices {...props} />
    </AttentionSection>
  );
}

/** Another sailing or the refund, and a new trip that is not paid yet. */
export function Choices(props: TravelChoiceProps) {
  return (
    <>
      <TravelChoice {...props} />
      <ChangeToPay order={props.order} />
    </>
  );
}
