import { type MouseEvent, type ReactNode, useId, useRef } from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../form/button.tsx';
import styles from './modal.module.css';
import { isOutside, useModalDialog } from './use-modal-dialog.ts';

export type ModalSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl' | '3xl' | '4xl' | '5xl' | '6xl' | '7xl';

export const modalSizes: ModalSize[] = [
  'xs',
  'sm',
  'md',
  'lg',
  'xl',
  '2xl',
  '3xl',
  '4xl',
  '5xl',
  '6xl',
  '7xl',
];

export type ModalProps = {
  size?: ModalSize | undefined;
  title: ReactNode;
  onClose: () => void;
  /** False while leaving would lose something, a payment under way for instance. */
  canClose?: boolean | undefined;
  children: ReactNode;
  /** Buttons along the bottom edge, the main one last. */
  footer?: ReactNode;
};

/** Open while it is rendered. A sheet from the bottom on phones, a dialog in the middle elsewhere. */
export function Modal({ size = 'md', title, onClose, canClose = true, children, footer }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = () => canClose && onClose();
  useModalDialog(dialog, close);

  function handlePress(event: MouseEvent<HTMLDialogElement>) {
    if (event.target !== event.currentTarget) return;
    if (isOutside(event.currentTarget, event.clientX, event.clientY)) close();
  }

  return (
    <dialog
      ref={dialog}
      className={classes(styles.modal, styles[`size-${size}`])}
      aria-labelledby={titleId}
      onMouseDown={handlePress}
    >
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
