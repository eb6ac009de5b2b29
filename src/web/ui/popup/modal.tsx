import { type CSSProperties, type ReactNode, useId, useRef } from 'react';
import { t } from '#web/language/texts.ts';
import { IconButton } from '../form/button.tsx';
import styles from './modal.module.css';
import { useModalDialog } from './use-modal-dialog.ts';

/** Widths in rem. */
const SIZES = {
  xs: 20,
  sm: 24,
  md: 28,
  lg: 32,
  xl: 36,
  '2xl': 42,
  '3xl': 48,
  '4xl': 56,
  '5xl': 64,
  '6xl': 72,
  '7xl': 80,
};
export type ModalSize = keyof typeof SIZES;
export const modalSizes = Object.keys(SIZES) as ModalSize[];

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
    <dialog
      ref={dialog}
      className={styles.modal}
      style={{ '--size': `${SIZES[size]}rem` } as CSSProperties}
      aria-labelledby={titleId}
    >
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {canClose && <IconButton icon="close" label={t('Close')} onClick={onClose} />}
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </dialog>
  );
}
