import { queryOptions, useQuery } from '@tanstack/react-query';
import type { RowSelectionState } from '@tanstack/react-table';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PRICE_FILES } from '#contract/desk/timetable/limits.ts';
import { staffPages } from '#contract/paths.ts';
import { startNewPrice } from '#domain/price-files/new-price.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import type { PromoCodeUses } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Permitted } from '#web/staff/session/permitted.tsx';
import { useUnsavedPage } from '#web/staff/unsaved-input.tsx';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { packFiles } from '../pack-files.ts';
import { promoCodesQuery } from '../promo-codes.tsx';
import { checkProposal, Review, useReview } from '../review.tsx';
import { type NewPrice, NewPriceDialog } from './new-price-dialog.tsx';
import {
  createRow,
  type Draft,
  type DraftRow,
  isChanged,
  loadPriceFile,
  openDraft,
  type PriceFileName,
  writeDraft,
} from './price-files.ts';
import { RowDialog } from './row-dialog.tsx';
import { RowTable } from './row-table.tsx';

type Files = Record<PriceFileName, string>;
type Drafts = Record<PriceFileName, Draft>;

const filesQuery = queryOptions({
  queryKey: ['staff-timetable', 'price-files'] as const,
  queryFn: loadFiles,
  // What is typed belongs to the files as they were loaded.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** Fares and promo codes in tables. What is typed becomes the files, which are checked and applied as uploads are. */
export function PricesScreen() {
  return (
    <Permitted permission="change_timetable">
      <PageHeader
        back={{ to: staffPages.timetable, label: t('Timetable and prices') }}
        title={t('Prices')}
        intro={t('Nothing is applied while you type. You see what would change first.')}
      />
      <Prices />
    </Permitted>
  );
}

function Prices() {
  const files = useQuery(filesQuery);
  const uses = useQuery(promoCodesQuery);
  const query = files.data === undefined ? files : uses;
  if (files.data === undefined || uses.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the prices')} loading={t('Loading…')}>
        <Skeleton height="20rem" />
      </QueryFallback>
    );
  }
  return <Editor key={files.dataUpdatedAt} files={files.data} uses={uses.data} />;
}

type EditorProps = { files: Files; uses: PromoCodeUses };
type OpenDialog = { kind: 'row'; row: DraftRow | null } | { kind: 'price' };

function Editor({ files, uses }: EditorProps) {
  const [params, setParams] = useSearchParams();
  const name = PRICE_FILES.find((each) => each === params.get('file')) ?? 'fares.csv';
  const [drafts, setDrafts] = useState<Drafts>(() => mapFiles((each) => openDraft(each, files[each])));
  const [chosen, setChosen] = useState<RowSelectionState>({});
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const changed = PRICE_FILES.filter((each) => isChanged(each, drafts[each]));
  const review = useReview();
  const check = useAction(checkDrafts, {
    onDone: review.show,
    explain: (failure) =>
      failure instanceof FilesChanged
        ? t(
            'Others have changed these files meanwhile. Load this page again, and type your changes once more.',
          )
        : explainFailure(failure),
  });
  const question = useUnsavedPage(changed.length > 0 || dialog !== null, 'prices being edited');
  const { currency } = uses;
  const draft = drafts[name];
  const count = draft.rows.filter(({ key }) => chosen[key]).length;

  function changeRows(change: (rows: DraftRow[]) => DraftRow[]) {
    review.show(null);
    setDrafts({ ...drafts, [name]: { ...draft, rows: change(draft.rows) } });
  }
  function handleRow(row: DraftRow | null, cells: DraftRow['cells']) {
    setDialog(null);
    changeRows((rows) =>
      row === null
        ? [createRow(cells), ...rows]
        : rows.map((each) => (each === row ? { ...row, cells } : each)),
    );
  }
  function handleNewPrice({ from, change }: NewPrice) {
    setDialog(null);
    setChosen({});
    changeRows((rows) =>
      rows.flatMap((row) => {
        if (!chosen[row.key]) return row;
        const [first = row.cells, ...more] = startNewPrice(row.cells, {
          ...{ from, dayBefore: addDays(from, -1), change, currency },
        });
        return [{ ...row, cells: first }, ...more.map(createRow)];
      }),
    );
    notify(t('Changed here only. Show the difference to apply it.'));
  }

  return (
    <Stack>
      <Tabs
        label={t('Files')}
        tabs={PRICE_FILES.map((id) => ({ id, label: TAB_LABELS[id]() }))}
        current={name}
        onChange={(next) => {
          setChosen({});
          setParams(next === 'fares.csv' ? {} : { file: next }, { preventScrollReset: true });
        }}
      >
        <div>
          <Button variant="secondary" icon="plus" onClick={() => setDialog({ kind: 'row', row: null })}>
            {t('Add a row')}
          </Button>
        </div>
        <RowTable
          key={name}
          name={name}
          draft={draft}
          onType={(key, column, text) =>
            changeRows((rows) =>
              rows.map((row) =>
                row.key === key ? { ...row, cells: { ...row.cells, [column]: text } } : row,
              ),
            )
          }
          onEdit={(row) => setDialog({ kind: 'row', row })}
          onRemove={(key) => changeRows((rows) => rows.filter((row) => row.key !== key))}
          extra={
            name === 'promo_codes.csv'
              ? {
                  id: 'uses',
                  header: t('Brought|a promo code'),
                  cell: ({ cells }) => describeUse(uses, cells.code),
                }
              : undefined
          }
          selected={chosen}
          onSelect={setChosen}
          action={
            name === 'fares.csv' && (
              <Button
                size="small"
                aria-disabled={count === 0}
                onClick={() => count > 0 && setDialog({ kind: 'price' })}
              >
                {t('New price from a day on')}
              </Button>
            )
          }
        />
      </Tabs>
      <Problem text={check.problem ?? review.outdated} />
      <StickyBar>
        <Button
          size="large"
          needsConnection
          aria-disabled={changed.length === 0}
          isPending={check.isPending}
          pendingText={t('Checking…')}
          onClick={() => changed.length > 0 && check.run({ drafts, changed })}
        >
          {t('Show the difference')}
        </Button>
      </StickyBar>
      <Review review={review} onDiscard={() => review.show(null)} />
      {dialog?.kind === 'row' && (
        <RowDialog
          name={name}
          draft={draft}
          cells={dialog.row?.cells ?? null}
          onDone={(cells) => handleRow(dialog.row, cells)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'price' && (
        <NewPriceDialog
          count={count}
          currency={currency}
          onDone={handleNewPrice}
          onClose={() => setDialog(null)}
        />
      )}
      {question}
    </Stack>
  );
}

const TAB_LABELS: Readonly<Record<PriceFileName, () => string>> = {
  'fares.csv': () => t('Fares'),
  'promo_codes.csv': () => t('Promo codes'),
};

/** The files were changed since they were loaded. */
class FilesChanged extends Error {
  override readonly name = 'FilesChanged';
}

/** @throws {FilesChanged} if others have changed the files that are replaced */
async function checkDrafts({ drafts, changed }: { drafts: Drafts; changed: readonly PriceFileName[] }) {
  const current = await loadFiles();
  if (changed.some((name) => current[name] !== drafts[name].saved)) throw new FilesChanged();
  const files = changed.map((name) => new File([writeDraft(name, drafts[name])], name, { type: 'text/csv' }));
  return checkProposal({ upload: await packFiles(files) });
}

function loadFiles(): Promise<Files> {
  return Promise.all(PRICE_FILES.map(async (name) => [name, await loadPriceFile(name)] as const)).then(
    (entries) => Object.fromEntries(entries) as Files,
  );
}

function mapFiles(open: (name: PriceFileName) => Draft): Drafts {
  return Object.fromEntries(PRICE_FILES.map((name) => [name, open(name)])) as Drafts;
}

function describeUse({ currency, promoCodes }: PromoCodeUses, code: string | undefined): string {
  const use = promoCodes.find((each) => each.code === code);
  if (use === undefined) return t('Not used yet|a promo code');
  return t('{orders, plural, one {# order} other {# orders}}, discounts {discount}, revenue {revenue}', {
    orders: use.orders,
    discount: formatMoney(use.discount, currency),
    revenue: formatMoney(use.revenue, currency),
  });
}
