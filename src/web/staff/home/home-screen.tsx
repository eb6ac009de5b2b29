import { Link } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import { nameRole } from '#sentences/staff.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { useStore } from '#web/platform/create-store.ts';
import { classes } from '#web/ui/classes.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid } from '#web/ui/layout/stack.tsx';
import { AREAS } from '../areas.ts';
import { slashOpens } from '../palette/shortcut.ts';
import { useStaff } from '../session/staff-session.ts';
import styles from './home-screen.module.css';

/** The start page of signed-in staff: everything that their role allows. */
export function HomeScreen() {
  const { name, email, role } = useStaff();
  const slash = useStore(slashOpens);
  const areas = AREAS.filter(
    ({ to, permission }) => to !== staffPages.home && hasPermission(role, permission),
  );
  return (
    <>
      <PageHeader
        title={t('Hello, {name}', { name })}
        intro={t('{role}, {email}', { role: nameRole(t, role), email })}
      />
      <Grid as="ul" className={styles.areas}>
        {areas.map(({ to, label, icon }) => (
          <Card key={to} as="li">
            <Link to={to} data-card-link="" className={styles.area}>
              <Icon name={icon} />
              {t(label)}
            </Link>
          </Card>
        ))}
      </Grid>
      {slash && (
        <p className={classes('muted', styles.hint)}>
          {rich('Press <key>/</key> to go to an order or a page.', { key: (text) => <kbd>{text}</kbd> })}
        </p>
      )}
    </>
  );
}
