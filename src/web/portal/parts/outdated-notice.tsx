import { useWritesPaused } from '#web/platform/connection/connection.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** `what` is the sentence's subject: "Your orders". */
export type OutdatedNoticeProps = { what: string; query: { isError: boolean } };

/** Says that a refetch failed. Not without a connection, because the overlay says so then. */
export function OutdatedNotice({ what, query }: OutdatedNoticeProps) {
  const isLost = useWritesPaused();
  if (!query.isError || isLost) return null;
  return (
    <Notice type="warning" role="status">
      {what} could not be updated. What you see may be out of date.
    </Notice>
  );
}
