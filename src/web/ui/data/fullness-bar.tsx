import styles from './fullness-bar.module.css';

export type FullnessBarProps = {
  /** From 0 (empty) to 1 (full). */
  level: number;
  /** What the bar means, in words: "12 places left". Always shown, for a colour alone says nothing. */
  text: string;
};

export function FullnessBar({ level, text }: FullnessBarProps) {
  const share = Math.max(0, Math.min(1, level));
  return (
    <span className={styles.fullness} data-state={share >= 1 ? 'full' : share >= 0.8 ? 'scarce' : 'free'}>
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span className={styles.text}>{text}</span>
    </span>
  );
}
