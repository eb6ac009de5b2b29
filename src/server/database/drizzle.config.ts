import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/database/schema',
  out: './src/server/database/migrations',
});
