import { useState } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { PAPERS, type Paper, readPaper, storePaper } from './papers.ts';
import styles from './printed-tickets.module.css';
import { PrintedTickets } from './printed-tickets.tsx';

const NAMES: Readonly<Record<Paper, Message>> = {
  roll80: message('Roll of 80 mm'),
  roll58: message('Roll of 58 mm'),
  a4: message('A4|paper'),
};

/** Prints the valid tickets of an order on this device's printer. */
export function PrintTickets({ load }: { load: () => Promise<Order> }) {
  const [paper, setPaper] = useState(readPaper);
  const [printed, setPrinted] = useState<Order | null>(null);
  const print = useAction(load, { onDone: setPrinted });
  return (
    <>
      <Problem text={print.problem} />
      <div className={styles.choice}>
        <Button
          variant="secondary"
          icon="print"
          needsConnection
          isPending={print.isPending}
          onClick={() => print.run()}
        >
          {t('Print tickets')}
        </Button>
        <Select
          label={t('Paper|of a printer')}
          value={paper}
          options={PAPERS.map((value) => ({ value, label: t(NAMES[value]) }))}
          onChange={({ target }) => {
            const chosen = PAPERS.find((each) => each === target.value) ?? paper;
            storePaper(chosen);
            setPaper(chosen);
          }}
        />
      </div>
      {printed && <PrintedTickets order={printed} paper={paper} onPrinted={() => setPrinted(null)} />}
    </>
  );
}
