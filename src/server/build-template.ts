import { createLog } from './core/log.ts';
import { openDatabase } from './database/database.ts';
import { makeTemplate } from './database/embedded-template.ts';
import { createJobs } from './jobs/jobs.ts';

// Part of `npm run build`: prepares the database with which a first start on the embedded engine begins.
await makeTemplate(async (folder) => {
  const database = await openDatabase({ url: null, folder });
  const jobs = createJobs(
    database.store,
    createLog((line) => process.stderr.write(line)),
  );
  await jobs.start();
  await jobs.stop();
  await database.close();
});
