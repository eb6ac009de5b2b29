/** Plain SQL with parameters, for components with their own tables (job queue, sandbox). */
export type SqlStore = { query<Row>(text: string, params?: unknown[]): Promise<Row[]> };
