import { boot } from './app/boot.ts';
import { start } from './app/start.tsx';
import { routes, startPurchase } from './tickets/routes.tsx';

boot(() => start(routes, { provide: startPurchase() }));
