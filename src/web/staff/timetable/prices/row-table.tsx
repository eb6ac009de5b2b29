import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { toIsoDay } from '#domain/price-files/new-price.ts';
import { t } from '#web/language/texts.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Cluster, Grid } from '#web/ui/layout/stack.tsx';
import { type Draft, type DraftRow, PRICE_FILE_RULES, type PriceFileName } from './price-files.ts';
import styles from './prices.module.css';

/** More rows at once would make typing slow. */
const PAGE_ROWS = 50;

type RowTableProps = {
  name: PriceFileName;
  draft: Draft;
  onType: (key: number, column: string, text: string) => void;
  onEdit: (row: DraftRow) => void;
  onRemove: (key: number) => void;
  /** Shown beside a row. */
  extra?: Column<DraftRow> | undefined;
  /** Rows can be chosen for an action. */
  selection?:
    | { keys: ReadonlySet<number>; onChange: (keys: ReadonlySet<number>) => void; action: ReactNode }
    | undefined;
};

/** The rows of a file, filtered and by pages, with inputs in the table. Enter and the arrow keys move between rows. */
export function RowTable({ name, draft, onType, onEdit, onRemove, extra, selection }: RowTableProps) {
  const { typed, kinds, nameRow, line, getType } = PRICE_FILE_RULES[name];
  const [filter, setFilter] = useState({ line: '', type: '' });
  const [page, setPage] = useState(1);
  const shown = draft.rows.filter(
    ({ cells }) =>
      (filter.line === '' || cells[line] === filter.line) &&
      (filter.type === '' || getType(cells) === filter.type),
  );
  const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
  const current = Math.min(page, pages);
  const rows = shown.slice((current - 1) * PAGE_ROWS, current * PAGE_ROWS);
  const lines = new Map(draft.rows.map(({ key }, index) => [key, index + 2]));

  function filterBy(part: Partial<typeof filter>) {
    setFilter({ ...filter, ...part });
    setPage(1);
  }

  const columns: Column<DraftRow>[] = [
    {
      id: 'name',
      header: t('Row|of a file'),
      cell: ({ key, cells }) => (
        <span className={styles.name}>
          {selection && (
            <input
              type="checkbox"
              className={styles.box}
              aria-label={t('Choose {row}', { row: nameRow(cells) })}
              checked={selection.keys.has(key)}
              onChange={() => selection.onChange(toggle(selection.keys, key))}
            />
          )}
          <span>
            {nameRow(cells)} <small>{t('line {number}', { number: lines.get(key) ?? 0 })}</small>
          </span>
        </span>
      ),
    },
    ...typed.map(
      ({ column, label }): Column<DraftRow> => ({
        id: column,
        header: t(label),
        cell: ({ key, cells }) => {
          const text = cells[column] ?? '';
          const isDay = kinds[column] === 'day';
          return (
            <input
              className={styles.input}
              type={isDay ? 'date' : 'text'}
              inputMode={isDay ? undefined : 'decimal'}
              autoComplete="off"
              data-column={column}
              aria-label={`${t(label)}: ${nameRow(cells)}`}
              value={isDay ? toIsoDay(text) : text}
              onChange={({ target }) => onType(key, column, target.value)}
            />
          );
        },
      }),
    ),
    ...(extra === undefined ? [] : [extra]),
    {
      id: 'actions',
      header: t('Actions'),
      cell: (row) => (
        <Cluster gap="xs">
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Edit {row}', { row: nameRow(row.cells) })}
            onClick={() => onEdit(row)}
          >
            {t('Edit|a row')}
          </Button>
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Remove {row}', { row: nameRow(row.cells) })}
            onClick={() => onRemove(row.key)}
          >
            {t('Remove|a row')}
          </Button>
        </Cluster>
      ),
    },
  ];
  return (
    <>
      <Grid>
        <Filter
          label={t('Line')}
          values={draft.rows.map(({ cells }) => cells[line] ?? '')}
          value={filter.line}
          onChange={(value) => filterBy({ line: value })}
        />
        <Filter
          label={t('Type|of a fare')}
          values={draft.rows.map(({ cells }) => getType(cells))}
          value={filter.type}
          onChange={(value) => filterBy({ type: value })}
        />
      </Grid>
      {selection && (
        <Cluster>
          <Button
            variant="secondary"
            size="small"
            onClick={() => selection.onChange(new Set(shown.map(({ key }) => key)))}
          >
            {t('{count, plural, one {Choose # row} other {Choose all # rows}}', { count: shown.length })}
          </Button>
          <Button variant="quiet" size="small" onClick={() => selection.onChange(new Set())}>
            {t('Choose none')}
          </Button>
          {selection.action}
        </Cluster>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that move between the inputs in it */}
      <div onKeyDown={moveBetweenRows}>
        <Table
          caption={name}
          isCaptionHidden
          columns={columns}
          rows={rows}
          getKey={({ key }) => String(key)}
        />
      </div>
      {pages > 1 && (
        <Cluster>
          <Button
            variant="secondary"
            size="small"
            aria-disabled={current === 1}
            onClick={() => setPage(Math.max(1, current - 1))}
          >
            {t('Previous page')}
          </Button>
          <span>{t('Page {page} of {pages}', { page: current, pages })}</span>
          <Button
            variant="secondary"
            size="small"
            aria-disabled={current === pages}
            onClick={() => setPage(Math.min(pages, current + 1))}
          >
            {t('Next page')}
          </Button>
        </Cluster>
      )}
    </>
  );
}

type FilterProps = { label: string; values: string[]; value: string; onChange: (value: string) => void };

/** A choice among the values that rows have; nothing if there is no choice. */
function Filter({ label, values, value, onChange }: FilterProps) {
  const options = [...new Set(values)].filter((each) => each !== '').toSorted();
  if (options.length < 2) return null;
  return (
    <Select
      label={label}
      placeholder={t('All|to choose from')}
      options={options.map((each) => ({ value: each, label: each }))}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function toggle(keys: ReadonlySet<number>, key: number): ReadonlySet<number> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** In a date, the arrow keys change its parts. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const { target, key } = event;
  if (!(target instanceof HTMLInputElement) || target.dataset.column === undefined) return;
  const isDown = key === 'ArrowDown' || (key === 'Enter' && !event.shiftKey);
  const isUp = key === 'ArrowUp' || (key === 'Enter' && event.shiftKey);
  if ((!isDown && !isUp) || (target.type === 'date' && key !== 'Enter')) return;
  event.preventDefault();
  const column = [
    ...event.currentTarget.querySelectorAll<HTMLInputElement>(`[data-column="${target.dataset.column}"]`),
  ];
  const next = column[column.indexOf(target) + (isDown ? 1 : -1)];
  next?.focus();
  if (next?.type === 'text') next.select();
}
