import { boot } from './app/boot.ts';
import { start } from './app/start.tsx';
import { routes } from './staff/routes.tsx';

boot(() => start(routes, {}));
