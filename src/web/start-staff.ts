import { boot } from './app/boot.ts';
import { start } from './app/start.tsx';
import { readOperatorClock } from './staff/operator-clock.ts';
import { routes } from './staff/routes.tsx';

readOperatorClock();
boot(() => start(routes, {}));
