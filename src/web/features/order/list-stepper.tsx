import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { IconButton } from '#web/ui/form/button.tsx';
import styles from './list-stepper.module.css';

export type ListedItem = 'ticket' | 'code';

type ListStepperProps = {
  item: ListedItem;
  index: number;
  count: number;
  onShow: (index: number) => void;
};

/** Steps through a list that shows one item at a time. */
export function ListStepper({ item, index, count, onShow }: ListStepperProps) {
  return (
    <div className={styles.bar} data-no-print="">
      <IconButton
        icon="chevron-left"
        label={t(TEXTS[item].previous)}
        variant="secondary"
        aria-disabled={index === 0}
        onClick={() => onShow(index - 1)}
      />
      <output className={styles.position}>
        {t(item === 'ticket' ? 'Ticket {number} of {count}' : 'Code {number} of {count}', {
          number: index + 1,
          count,
        })}
      </output>
      <IconButton
        icon="chevron-right"
        label={t(TEXTS[item].next)}
        variant="secondary"
        aria-disabled={index === count - 1}
        onClick={() => onShow(index + 1)}
      />
    </div>
  );
}

const TEXTS = {
  ticket: { previous: message('Previous ticket'), next: message('Next ticket') },
  code: { previous: message('Previous code'), next: message('Next code') },
};
