import { Outlet } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { AppShell } from '#web/ui/page.tsx';

export function TicketsFrame() {
  const { brand, contact } = useSettings();
  const { origins, provider } = pageConfig();
  const { isAuthenticated } = useSession();
  return (
    <AppShell
      brand={brand.name}
      banner={provider.is_test ? 'Test payments: no real card is charged' : undefined}
      actions={
        <a href={origins.portal + (isAuthenticated ? portalPages.orders : portalPages.signIn)}>
          {isAuthenticated ? 'My account' : 'Sign in'}
        </a>
      }
      footer={
        <p>
          Questions? Call <a href={phoneLink(contact.phone)}>{contact.phone}</a>, or write to{' '}
          <a href={`mailto:${contact.email}`}>{contact.email}</a>. {contact.booth_hours}
        </p>
      }
    >
      <Outlet />
    </AppShell>
  );
}

function phoneLink(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
