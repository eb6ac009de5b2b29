import styles from './policy-text.module.css';

export function PolicyText({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul className={styles.rules}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
