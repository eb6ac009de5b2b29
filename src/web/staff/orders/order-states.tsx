import type { StaffOrder } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { listOrderStates } from './state-texts.ts';

/** What is unusual about an order. `now` in milliseconds. */
export function OrderStates({ staffOrder, now }: { staffOrder: StaffOrder; now: number }) {
  return listOrderStates(staffOrder, now).map(({ id, title, sentences, isOpen }) => (
    <Notice key={id} type={isOpen ? 'warning' : 'message'} title={title}>
      {sentences.length > 0 && (
        <Stack gap="xs">
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Stack>
      )}
    </Notice>
  ));
}
