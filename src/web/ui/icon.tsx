import { classes } from './classes.ts';
import styles from './icon.module.css';

const strokes = {
  ferry: 'M2 15h20l-3 5H5zM5 15v-4h12l3 4M8 11V7h6v4M11 7V4',
  person: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2',
  card: 'M3 5h18v14H3zM3 9.5h18M6.5 15h4',
  'trip-card': 'M3 5h18v14H3zM3 14c3-2 4.5 2 9 0s6 2 9 0M6.5 9h5',
  ticket: 'M3 6h18v4a2 2 0 0 0 0 4v4H3v-4a2 2 0 0 0 0-4zM14.5 6v2M14.5 11v2M14.5 16v2',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11 12l8.5-8.5M16 7l3 3M13.5 9.5 15 11',
  shield: 'M12 3 4.5 6v5c0 5 3 8 7.5 10 4.5-2 7.5-5 7.5-10V6zM9 12l2.200 2.200L15.5 10',
  check: 'M4.5 12.5 10 18 20 6.5',
  warning: 'M12 3.5 22 20H2zM12 10v4.5M12 17.200v.3',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v6M12 7v.3',
  close: 'M5.5 5.5l13 13M18.5 5.5l-13 13',
  plus: 'M12 4.5v15M4.5 12h15',
  minus: 'M4.5 12h15',
  'chevron-down': 'M5 9l7 7 7-7',
  'chevron-up': 'M5 15l7-7 7 7',
  'chevron-left': 'M15 5l-7 7 7 7',
  'chevron-right': 'M9 5l7 7-7 7',
  swap: 'M7 4 3.5 7.5 7 11M3.5 7.5H20M17 13l3.5 3.5L17 20M20.5 16.5H4',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  copy: 'M9 9h11.5v11.5H9zM5.5 15h-2V3.500h11.5v2',
  print: 'M7 8V3h10v5M7 17H3.5V8h17v9H17M7 14h10v7H7z',
  mail: 'M3 5.5h18v13H3zM3.5 6.5 12 13l8.5-6.5',
  phone:
    'M5 3.5h4l1.5 5-2.300 1.700a13 13 0 0 0 5.600 5.600L15.5 13.5l5 1.5v4c0 1-1 1.5-2 1.5C10.5 20 4 13.5 3.5 5.5c0-1 .5-2 1.5-2',
  'map-pin':
    'M12 21.5c4.5-5 7-8.5 7-12a7 7 0 0 0-14 0c0 3.5 2.5 7 7 12M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  anchor: 'M12 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4M12 7v14M8 10.5h8M4 13c0 5 3.5 8 8 8s8-3 8-8',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9',
  menu: 'M3.5 6.5h17M3.5 12h17M3.5 17.5h17',
  more: 'M12 6a1 1 0 1 0 0-2 1 1 0 0 0 0 2M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2M12 20a1 1 0 1 0 0-2 1 1 0 0 0 0 2',
  eye: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  'eye-off':
    'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 20 20 4',
  offline:
    'M2.5 9a14 14 0 0 1 5-3M11 5.300A14 14 0 0 1 21.5 9M6 13a9 9 0 0 1 4-2.300M15 11a9 9 0 0 1 3 2M12 18v.3M4 3l16 17',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.800M20 3v5h-5',
  'sign-out': 'M14 4H4v16h10M10 12h11M17 8l4 4-4 4',
} as const;

export type IconName = keyof typeof strokes;
export type IconProps = {
  name: IconName;
  size?: 'small' | 'medium' | 'large' | undefined;
  label?: string | undefined;
  className?: string | undefined;
};

/** Decoration unless it has a label. Grows with the text beside it. */
/** Point to where a page goes on or comes from, which is the other side on a page from right to left. */
const POINTING: readonly IconName[] = ['chevron-left', 'chevron-right', 'sign-out'];

export function Icon({ name, size = 'medium', label, className }: IconProps) {
  const hidden = label === undefined;
  return (
    <svg
      viewBox="0 0 24 24"
      className={classes(styles.icon, styles[size], POINTING.includes(name) && styles.pointing, className)}
      role={hidden ? undefined : 'img'}
      aria-label={label}
      aria-hidden={hidden ? 'true' : undefined}
      focusable="false"
    >
      <path d={strokes[name]} />
    </svg>
  );
}

export const iconNames = Object.keys(strokes) as IconName[];
