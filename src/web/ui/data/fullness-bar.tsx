import styles from './fullness-bar.module.css';

type FullnessBarProps = {
  /** From 0 (empty) to 1 (full). */
  level: number;
  /** The bar's meaning in text, such as "12 places left", because not everybody can tell colors apart. */
  text: string;
};

export function FullnessBar({ level, text }: FullnessBarProps) {
  const share = Math.max(0, Math.min(1, level));
  return (
    <span
      className={styles.fullness}
      data-tone={share >= 1 ? 'danger' : share >= 0.8 ? 'warning' : 'success'}
    >
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span className={styles.text}>{text}</span>
    </span>
  );
}
