import type { ReactNode } from 'react';
import type { Permission } from '#contract/staff/permissions.ts';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { usePermission } from './staff-session.ts';

/** A screen for the roles with a permission. The server refuses the others too. */
export function Permitted({ permission, children }: { permission: Permission; children: ReactNode }) {
  if (usePermission(permission)) return children;
  return <Notice type="warning">{t('Your role does not allow this. Please ask a manager.')}</Notice>;
}
