import { startPageLanguage } from '#web/language/page-language.ts';
import { startFirstPaint } from './first-paint.ts';
import { pageConfig } from './platform/page-config.ts';

// Runs before the app, as a separate script.
startPageLanguage(pageConfig().settings.language);
Object.assign(window, startFirstPaint());
