import './module-loading.ts';

// Loaded afterwards, because modules imported here would be resolved before the hook exists.
await import('./server.ts');
