import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type FirstRowsProps<Row> = {
  rows: readonly Row[];
  /** Of the rows that are shown before the rest is asked for. */
  most: number;
  /** Shown below all rows. */
  end?: ReactNode;
  /** Shows rows in a table or list, each of which can take the focus. */
  children: (shown: readonly Row[]) => ReactNode;
};

/** The first rows of a long table or list, with a button for the rest. */
export function FirstRows<Row>({ rows, most, end, children }: FirstRowsProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (isOpen) box.current?.querySelectorAll<HTMLElement>('tbody > tr, li')[most]?.focus();
  }, [isOpen, most]);
  const shown = isOpen ? rows : rows.slice(0, most);
  return (
    <div ref={box}>
      <Stack>
        {children(shown)}
        {shown.length < rows.length ? (
          <div>
            <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
              {t('Show {count} more', { count: rows.length - shown.length })}
            </Button>
          </div>
        ) : (
          end
        )}
      </Stack>
    </div>
  );
}
