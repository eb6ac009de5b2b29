import { useQuery } from '@tanstack/react-query';
import { findPageData } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useHydrated } from '../use-hydrated.ts';
import { serviceStatusQuery } from './service-status-query.ts';

/** What the operator says today: as the page was rendered, then as the map has learned it. */
export function ServiceNotices() {
  const { data: status } = useQuery({ ...serviceStatusQuery(), enabled: false });
  const isHydrated = useHydrated();
  const page = findPageData();
  // A cached page may be days old.
  const isOver = isHydrated && page !== null && serverNow() >= Date.parse(page.today_ends_at);
  const notices = status?.notices ?? (isOver ? [] : page?.notices) ?? [];
  return notices.map(({ about, text }) => (
    <Notice key={`${about} ${text}`} type="warning" title={about ?? undefined}>
      {text}
    </Notice>
  ));
}
