import { readSources, updateCatalogues } from './catalogue-files.ts';

/* `npm run messages`: adds new messages to the catalogues of the languages and removes those that are no longer used. */

updateCatalogues(readSources());
