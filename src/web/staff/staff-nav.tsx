import { NavLink } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { hasPermission, type StaffRole } from '#contract/staff/permissions.ts';
import { t } from '#web/language/texts.ts';
import { Icon } from '#web/ui/icon.tsx';
import { AREAS } from './areas.ts';
import styles from './staff-nav.module.css';

/** Links to what the role allows. Not the customers' tab bar: few people have more than three. */
export function StaffNav({ role }: { role: StaffRole }) {
  const areas = AREAS.filter(({ permission }) => hasPermission(role, permission));
  if (areas.length < 2) return null;
  return (
    <nav aria-label={t('Staff')} className={styles.nav}>
      {areas.map(({ to, label, icon }) => (
        <NavLink key={to} to={to} end={to === staffPages.home} className={() => styles.link}>
          <Icon name={icon} />
          {t(label)}
        </NavLink>
      ))}
    </nav>
  );
}
