import { IconButton } from '#web/ui/form/button.tsx';
import styles from './list-stepper.module.css';

type ListStepperProps = {
  /** The name of one item: "ticket". */
  item: string;
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
        label={`Previous ${item}`}
        variant="secondary"
        aria-disabled={index === 0}
        onClick={() => onShow(index - 1)}
      />
      <output className={styles.position}>
        {item.charAt(0).toUpperCase() + item.slice(1)} {index + 1} of {count}
      </output>
      <IconButton
        icon="chevron-right"
        label={`Next ${item}`}
        variant="secondary"
        aria-disabled={index === count - 1}
        onClick={() => onShow(index + 1)}
      />
    </div>
  );
}
