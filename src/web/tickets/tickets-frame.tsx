import { Outlet } from 'react-router';
import { portalPages, ticketPages } from '#contract/paths.ts';
import { SiteFrame } from '#web/features/site/site-frame.tsx';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSession } from '#web/platform/session/session.ts';

export function TicketsFrame() {
  const { origins } = pageConfig();
  const { isAuthenticated } = useSession();
  return (
    <SiteFrame
      homeTo={ticketPages.home}
      actions={
        <a href={origins.portal + (isAuthenticated ? portalPages.orders : portalPages.signIn)}>
          {isAuthenticated ? 'My account' : 'Sign in'}
        </a>
      }
    >
      <Outlet />
    </SiteFrame>
  );
}
