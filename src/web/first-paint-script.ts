import { startFirstPaint } from './first-paint.ts';

// Runs before the app, as a separate script.
Object.assign(window, startFirstPaint());
