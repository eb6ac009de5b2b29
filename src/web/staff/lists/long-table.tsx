import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Table, TableFrame, type TableProps, TableRow } from '#web/ui/data/table.tsx';

/** Up to so many rows are all in the page, where browsers and screen readers find them. */
const PLAIN_ROWS = 200;
/** In pixels, until a row is measured. */
const ROW_HEIGHT = 60;
/** Rows in the page before and after those on the screen. */
const OVERSCAN = 10;

/** A table that may have thousands of rows. */
export function LongTable<Row>(props: TableProps<Row>) {
  return props.rows.length > PLAIN_ROWS ? <VirtualTable {...props} /> : <Table {...props} />;
}

/** Rows far from the screen are not in the page, except the focused one with its neighbors. All of them are printed. */
function VirtualTable<Row>(props: TableProps<Row>) {
  const { rows, columns, getKey, getTone } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number | null>(null);
  const isPrinting = useIsPrinting();
  const near = focused === null ? [] : [focused - 1, focused, focused + 1];
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    ...{ count: rows.length, scrollMargin: top, overscan: OVERSCAN },
    estimateSize: () => ROW_HEIGHT,
    // What is not laid out has no height.
    measureElement: (row) => row.getBoundingClientRect().height || ROW_HEIGHT,
    rangeExtractor: (range) => {
      if (isPrinting) return rows.map((_, index) => index);
      const shown = new Set([...defaultRangeExtractor(range), ...near]);
      return [...shown].filter((index) => index >= 0 && index < rows.length).toSorted((a, b) => a - b);
    },
  });
  // The browser scrolls to the focused row by itself, while its neighbor is measured.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ index, end }) =>
    end <= (virtualizer.scrollOffset ?? 0) && !near.includes(index);
  // What is above the table may have grown.
  useLayoutEffect(() => {
    if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });

  function handleFocus({ target }: FocusEvent) {
    const index = target.closest('tr')?.dataset.index;
    if (index !== undefined) setFocused(Number(index));
  }

  const items = virtualizer.getVirtualItems();
  return (
    <TableFrame {...props} rowCount={rows.length + 1}>
      {/* biome-ignore lint/a11y/noRedundantRoles: laid out as a block on phones */}
      <tbody role="rowgroup" ref={body} onFocus={handleFocus}>
        {items.map((item, at) => {
          const row = rows[item.index] as Row;
          return (
            <Fragment key={getKey(row)}>
              <Gap height={item.start - (items[at - 1]?.end ?? top)} />
              <TableRow
                ref={virtualizer.measureElement}
                row={row}
                columns={columns}
                data-index={item.index}
                data-tone={getTone?.(row)}
                aria-rowindex={item.index + 2}
              />
            </Fragment>
          );
        })}
        <Gap height={virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)} />
      </tbody>
    </TableFrame>
  );
}

/** The room of rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: no one can focus it
    <tr aria-hidden="true" style={{ height }}>
      <td />
    </tr>
  );
}

function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const events = new AbortController();
    const set = (is: boolean) => () => flushSync(() => setIsPrinting(is));
    window.addEventListener('beforeprint', set(true), { signal: events.signal });
    window.addEventListener('afterprint', set(false), { signal: events.signal });
    return () => events.abort();
  }, []);
  return isPrinting;
}
