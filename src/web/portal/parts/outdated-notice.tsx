import { useWritesPaused } from '#web/platform/connection/connection.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** `what` is the sentence's subject: "Your orders". */
export type OutdatedNoticeProps = { what: string; query: { isError: boolean } };

/**
 * What is on screen stays there when it could not be asked for again. Of a lost connection the layer over the screen
 * tells, and the age beside what was saved: there the room is for the ticket.
 */
export function OutdatedNotice({ what, query }: OutdatedNoticeProps) {
  const isLost = useWritesPaused();
  if (!query.isError || isLost) return null;
  return (
    <Notice type="warning" role="status">
      {what} could not be updated. What you see may be out of date.
    </Notice>
  );
}
