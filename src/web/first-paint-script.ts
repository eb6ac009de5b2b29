import { startFirstPaint } from './first-paint.ts';

// Runs before the app, as a script of its own.
Object.assign(window, startFirstPaint());
