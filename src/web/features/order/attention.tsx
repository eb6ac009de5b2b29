import { ChangeToPay } from './actions/change-to-pay.tsx';
import { AttentionSection } from './attention-section.tsx';
import type { TravelChoiceProps } from './rebook/choice-cards.tsx';
import { TravelChoice } from './rebook/travel-choice.tsx';

/** What is unusual about an order, and the choice that the passenger has. */
export function Attention({ order, queryKey }: TravelChoiceProps) {
  return (
    <AttentionSection order={order}>
      <TravelChoice order={order} queryKey={queryKey} />
      <ChangeToPay order={order} />
    </AttentionSection>
  );
}
