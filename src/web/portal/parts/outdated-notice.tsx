import { useWritesPaused } from '#web/platform/connection/connection.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

export type OutdatedNoticeProps = {
  query: { isError: boolean };
  /** What could not be updated, as a sentence. */
  children: string;
};

/** Says that a refetch failed. Not without a connection, because the overlay says so then. */
export function OutdatedNotice({ query, children }: OutdatedNoticeProps) {
  const isLost = useWritesPaused();
  if (!query.isError || isLost) return null;
  return (
    <Notice type="warning" role="status">
      {children}
    </Notice>
  );
}
