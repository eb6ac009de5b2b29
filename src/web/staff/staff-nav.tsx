import { NavLink } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { hasPermission, type StaffRole } from '#contract/staff/permissions.ts';
import { t } from '#web/language/texts.ts';
import { Icon } from '#web/ui/icon.tsx';
import '#web/ui/layout/side-nav.css';
import { AREAS } from './areas.ts';
import styles from './staff-nav.module.css';

/** Links to what the role allows, beside the page on desktops. Not the customers' tab bar: few people have more than three. */
export function StaffNav({ role }: { role: StaffRole }) {
  const areas = AREAS.filter(({ permission }) => hasPermission(role, permission));
  if (areas.length < 2) return null;
  return (
    <nav aria-label={t('Staff')} className={`side-nav ${styles.nav}`}>
      <ul className={`side-nav-links ${styles.links}`}>
        {areas.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink to={to} end={to === staffPages.home} className={() => `side-nav-link ${styles.link}`}>
              <Icon name={icon} />
              {t(label)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
