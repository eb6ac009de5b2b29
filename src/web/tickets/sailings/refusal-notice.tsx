import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SailingRow } from '#web/features/sailing/sailing-row.tsx';
import type { Sailing } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { PriceChange, type PriceChangeProps } from '../price-change.tsx';
import styles from './leg-picker.module.css';
import { sailingQuery } from './queries.ts';
import type { Refusal } from './refusal.ts';

type RefusalNoticeProps = {
  refusal: Refusal;
  /** Null until the new price is known. */
  changed: PriceChangeProps | null;
  onChooseAlternative: (sailing: Sailing) => void;
  onReopen: () => void;
};

export function RefusalNotice({ refusal, changed, onChooseAlternative, onReopen }: RefusalNoticeProps) {
  const box = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal takes the focus again
  useEffect(() => box.current?.focus(), [refusal]);

  const reopen = (
    <Button size="small" variant="secondary" onClick={onReopen}>
      Choose another sailing
    </Button>
  );
  return (
    <div ref={box} tabIndex={-1} className={styles.title}>
      {refusal.kind === 'price_changed' &&
        (changed === null ? (
          <Notice type="warning" role="alert">
            The price has changed. We are getting the new one…
          </Notice>
        ) : (
          <PriceChange {...changed} />
        ))}
      {refusal.kind === 'sold_out' && (
        <Stack gap="sm">
          <Notice type="warning" role="alert" title="Those places were just taken" action={reopen}>
            {refusal.text}
            {refusal.alternatives.length > 0 && ' These still have room for your party:'}
          </Notice>
          <Alternatives ids={refusal.alternatives} onChoose={onChooseAlternative} />
        </Stack>
      )}
      {refusal.kind === 'sailing_gone' && (
        <Notice type="warning" role="alert" action={reopen}>
          {refusal.text}
        </Notice>
      )}
      {refusal.kind === 'other' && (
        <Notice type="alert" role="alert">
          {refusal.text}
        </Notice>
      )}
    </div>
  );
}

function Alternatives({ ids, onChoose }: { ids: readonly string[]; onChoose: (sailing: Sailing) => void }) {
  const { contact } = useSettings();
  const sailings = useQueries({ queries: ids.map(sailingQuery) });
  return (
    <ul className={styles.list} aria-label="Sailings with room for your party">
      {sailings.map(
        ({ data }) =>
          data && (
            <SailingRow key={data.id} sailing={data} onChoose={onChoose} phone={contact.phone} showsDay />
          ),
      )}
    </ul>
  );
}
