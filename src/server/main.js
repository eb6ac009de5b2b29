import './module-loading.js';
import { setFlagsFromString } from 'node:v8';

// Loading modules makes a lot of garbage at once. V8 would allow for as much from then on, which costs 30 MB.
setFlagsFromString('--semi-space-growth-factor=1');
// Loaded afterwards, because modules imported here would be resolved before the hook exists.
await import('./server.ts');
setFlagsFromString('--semi-space-growth-factor=2');
