import { Card } from '../layout/card.tsx';
import { Stack } from '../layout/stack.tsx';
import styles from './gallery.module.css';

const texts = ['xs', 'sm', 'md', 'lg', 'xl', '2xl'];
const spaces = ['1', '2', '3', '4', '5', '6', '7'];

/** Background colors, and the text colors on them. */
const pairs = [
  ['accent', 'on-accent'],
  ['page', 'accent-ink'],
  ['surface', 'accent-ink'],
  ['sunken', 'accent-ink'],
  ['page', 'ink'],
  ['surface', 'muted'],
  ['sunken', 'muted'],
  ['deep', 'on-deep'],
  ['selected', 'surface'],
  ['selected-wash', 'selected'],
  ['selected-wash', 'ink'],
  ['selected-wash', 'muted'],
  ['selected-wash', 'accent-ink'],
  ['success-wash', 'success'],
  ['warning-wash', 'warning'],
  ['danger-wash', 'danger'],
  ['info-wash', 'info'],
] as const;

export function ThemeGallery() {
  return (
    <>
      <Card title="Type">
        <Stack gap="sm">
          {texts.map((size) => (
            <p key={size} style={{ fontSize: `var(--text-${size})`, lineHeight: 1.25 }}>
              {size}: the 18:20 sails
            </p>
          ))}
          <p style={{ fontFamily: 'var(--font-code)' }}>code: HL-7Q4K-2</p>
        </Stack>
      </Card>
      <Card title="Colors">
        <ul className={styles.colors}>
          {pairs.map(([back, front]) => (
            <li
              key={`${front} on ${back}`}
              className={styles.color}
              data-pair={`${front} on ${back}`}
              style={{ background: `var(--${back})`, color: `var(--${front})` }}
            >
              {front} on {back}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Spacing">
        <ul className={styles.spaces}>
          {spaces.map((size) => (
            <li key={size}>
              <div className={styles.space} style={{ width: `var(--space-${size})` }} />
              {size}
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
