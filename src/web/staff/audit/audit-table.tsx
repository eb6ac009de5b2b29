import { nameAuditAction } from '#sentences/audit.ts';
import { nameRole } from '#sentences/staff.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { AuditEntry } from '#web/platform/api/types.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import styles from './audit.module.css';
import { describeActor, describeChange, describeObject } from './audit-texts.ts';

/** `now` in milliseconds: when the entries were loaded. */
export function AuditTable({ entries, now }: { entries: readonly AuditEntry[]; now: number }) {
  return (
    <Table
      caption={t('Audit log')}
      isCaptionHidden
      columns={listColumns(now)}
      rows={entries}
      getKey={({ seq }) => String(seq)}
    />
  );
}

function listColumns(now: number): Column<AuditEntry>[] {
  return [
    {
      id: 'action',
      header: t('What'),
      cell: (entry) => <Lines first={nameAuditAction(t, entry.action)} below={[describeObject(entry)]} />,
    },
    {
      id: 'actor',
      header: t('Who'),
      cell: ({ actor }) => (
        <Lines
          first={describeActor(actor)}
          below={[actor.role === null ? null : nameRole(t, actor.role), actor.device]}
        />
      ),
    },
    { id: 'at', header: t('When'), cell: ({ at }) => formatWhenCapitalized(at, now) },
    {
      id: 'change',
      header: t('Details|of an entry'),
      cell: ({ changes, object: { currency }, reason }) => {
        const [first = '–', ...more] = [
          ...changes.map((change) => describeChange(change, { currency, now })),
          ...(reason === null ? [] : [t('Reason: {reason}', { reason })]),
        ];
        return <Lines first={first} more={more} />;
      },
    },
  ];
}

type LinesProps = {
  first: string;
  more?: readonly string[];
  /** Less important. */
  below?: readonly (string | null)[];
};

/** One below the other. */
function Lines({ first, more = [], below = [] }: LinesProps) {
  return (
    <span className={styles.lines}>
      <span>{first}</span>
      {more.map((line) => (
        <span key={line}>{line}</span>
      ))}
      {below.map(
        (line) =>
          line !== null && (
            <span key={line} className={styles.below}>
              {line}
            </span>
          ),
      )}
    </span>
  );
}
