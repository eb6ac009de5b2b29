import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { routePages } from '#contract/route-pages.ts';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { classes } from '#web/ui/classes.ts';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { isLongList } from '../trip/port-field.tsx';
import { groupPorts, type PortGroup, searchPorts } from '../trip/port-groups.ts';
import { readRecentPorts } from '../trip/recent-ports.ts';
import { originIds } from '../trip/trip-search.ts';
import { useNearMe } from '../trip/use-near-me.ts';
import styles from './ports-screen.module.css';

const NONE: ReadonlyMap<string, string> = new Map();

/** Chooses the port whose departures are shown. */
export function PortsScreen() {
  const catalogue = useQuery(catalogueQuery());
  return (
    <Stack gap="lg">
      <PageHeader
        title={t('Departures')}
        intro={t('Choose a port to see its boats of today as they really run.')}
      />
      {catalogue.data ? (
        <PortChoice catalogue={catalogue.data} />
      ) : catalogue.isError ? (
        <LoadProblem title={t('The ports could not be loaded')} query={catalogue} />
      ) : (
        <Loading height="3rem" lines={4} />
      )}
      <p>
        <a href={routePages.all}>{t('All routes with prices')}</a>
      </p>
      <p className="note">
        {rich('For trip planners: <link>timetable as GTFS</link>', {
          link: (text) => <a href="/gtfs/timetable.zip">{text}</a>,
        })}
      </p>
    </Stack>
  );
}

function PortChoice({ catalogue }: { catalogue: Catalogue }) {
  const { units } = useSettings();
  const [typed, setTyped] = useState('');
  const [recent] = useState(readRecentPorts);
  const { position, problem, isAsking, ask } = useNearMe();
  const origins = new Set(originIds(catalogue));
  const ports = catalogue.ports.filter(({ id }) => origins.has(id));
  const codes = new Map(ports.map(({ id, code }) => [id, code]));
  const isLong = isLongList(ports);
  const groups: PortGroup[] =
    typed.trim() === ''
      ? groupPorts({ ports, recent, position, transferPorts: NONE, units })
      : [{ title: t('Matches'), options: searchPorts(ports, typed) }];
  const isEmpty = groups.every(({ options }) => options.length === 0);
  const hasCoordinates = ports.some(({ lat, lon }) => lat !== null && lon !== null);
  return (
    <Stack>
      {isLong && (
        <TextField
          label={t('Search by name or code')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {ask !== null && hasCoordinates && (
        <div>
          <Button variant="secondary" size="small" icon="map-pin" isPending={isAsking} onClick={ask}>
            {t('Ports near me')}
          </Button>
        </div>
      )}
      <p role="status" className={classes('note', problem === null && !isEmpty && 'visually-hidden')}>
        {problem ?? (isEmpty ? t('No port has this name or code.') : '')}
      </p>
      {groups.map(({ title, options }) => (
        <section key={title} aria-label={title}>
          <h2 className="note">{title}</h2>
          <ul className={styles.list}>
            {options.map(({ id, name, detail }) => (
              <li key={id}>
                <Link
                  className={styles.port}
                  to={fillPath(ticketPages.portDepartures, { code: codes.get(id) ?? '' })}
                >
                  <span className={styles.name}>{name}</span>
                  {detail !== null && <span className={styles.detail}>{detail}</span>}
                  <Icon name="chevron-right" />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}
