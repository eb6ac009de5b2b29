import { startFirstPaint } from './first-paint.ts';
import { pageConfig } from './platform/page-config.ts';
import { setTextLanguage } from './ui/text-language.ts';

// Runs before the app, as a separate script.
setTextLanguage(pageConfig().settings.language);
Object.assign(window, startFirstPaint());
