import { type ReactNode, useId, useRef } from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../form/button.tsx';
import styles from './modal.module.css';
import { useModalDialog } from './use-modal-dialog.ts';

export const modalSizes = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl', '6xl', '7xl'] as const;
export type ModalSize = (typeof modalSizes)[number];

type ModalProps = {
  size?: ModalSize | undefined;
  title: ReactNode;
  onClose: () => void;
  /** False while leaving would lose something, for example during a payment. */
  canClose?: boolean | undefined;
  children: ReactNode;
  /** Buttons along the bottom edge, the main one last. */
  footer?: ReactNode;
};

/** Open while it is rendered. A sheet from the bottom on phones, a dialog in the middle elsewhere. */
export function Modal({ size = 'md', title, onClose, canClose = true, children, footer }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModalDialog(dialog, () => canClose && onClose());
  return (
    <dialog ref={dialog} className={classes(styles.modal, styles[`size-${size}`])} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {canClose && <IconButton icon="close" label="Close" onClick={onClose} />}
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </dialog>
  );
}
