import { openDatabase } from './database.ts';
import { makeTemplate } from './embedded-template.ts';

await makeTemplate(async (folder) => (await openDatabase({ url: null, folder })).close());
