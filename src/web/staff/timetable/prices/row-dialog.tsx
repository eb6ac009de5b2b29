import { useId, useState } from 'react';
import type { CsvRow } from '#domain/price-files/csv-text.ts';
import { toIsoDay } from '#domain/price-files/new-price.ts';
import { t } from '#web/language/texts.ts';
import { useUnsavedDialog } from '#web/staff/unsaved-input.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Field, TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { type Draft, PRICE_FILE_RULES, type PriceFileName } from './price-files.ts';

type RowDialogProps = {
  name: PriceFileName;
  draft: Draft;
  /** Null: a new row. */
  cells: CsvRow | null;
  onDone: (cells: CsvRow) => void;
  onClose: () => void;
};

/** All columns of a row. They have the names of the file; values that other rows have are suggested. */
export function RowDialog({ name, draft, cells, onDone, onClose }: RowDialogProps) {
  const [typed, setTyped] = useState<CsvRow>(cells ?? {});
  const formId = useId();
  const { kinds } = PRICE_FILE_RULES[name];
  const own = Object.keys(kinds);
  const columns = [...own, ...draft.columns.filter((column) => !own.includes(column))];
  const isTyped = columns.some((column) => (typed[column] ?? '') !== (cells?.[column] ?? ''));
  const { close, question } = useUnsavedDialog(isTyped, onClose);
  return (
    <Modal
      title={cells === null ? t('Add a row') : t('Edit the row')}
      size="2xl"
      onClose={close}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('Back')}
          </Button>
          <Button type="submit" form={formId}>
            {t('Done')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          onDone(typed);
        }}
      >
        <Stack>
          <p>
            {t(
              'The columns are those of {file}. What is not possible is named when you show the difference.',
              { file: name },
            )}
          </p>
          <Grid>
            {columns.map((column) => (
              <ColumnField
                key={column}
                column={column}
                kind={kinds[column] ?? 'text'}
                value={typed[column] ?? ''}
                values={draft.rows.map((row) => row.cells[column] ?? '')}
                onChange={(text) => setTyped({ ...typed, [column]: text })}
              />
            ))}
          </Grid>
        </Stack>
      </form>
      {question}
    </Modal>
  );
}

type ColumnFieldProps = {
  column: string;
  kind: (typeof PRICE_FILE_RULES)[PriceFileName]['kinds'][string];
  value: string;
  /** Of all rows. */
  values: string[];
  onChange: (text: string) => void;
};

function ColumnField({ column, kind, value, values, onChange }: ColumnFieldProps) {
  const listId = useId();
  const label = <span lang="en">{column}</span>;
  const handleChange = ({ target }: { target: { value: string } }) => onChange(target.value);
  if (kind === 'day') {
    return <TextField type="date" label={label} value={toIsoDay(value)} onChange={handleChange} />;
  }
  if (kind === 'amount' || kind === 'number') {
    return (
      <TextField inputMode="decimal" autoComplete="off" label={label} value={value} onChange={handleChange} />
    );
  }
  if (kind !== 'text') {
    const options = kind.map((each) => ({ value: each, label: each }));
    return (
      <Select
        label={label}
        placeholder={t('Choose…|one of several')}
        options={options}
        value={value}
        onChange={handleChange}
      />
    );
  }
  const suggested = [...new Set(values)].filter((each) => each !== '').toSorted();
  return (
    <Field label={label}>
      {(control) => (
        <>
          <input
            {...control}
            type="text"
            autoComplete="off"
            list={listId}
            value={value}
            onChange={handleChange}
          />
          <datalist id={listId}>
            {suggested.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
