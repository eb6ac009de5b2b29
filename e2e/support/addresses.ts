/** Where the product under test runs. Chromium resolves `*.localhost` by itself; Node does not. */
export const PORT = Number(process.env.E2E_PORT ?? 8123);
export const ORIGINS = {
  tickets: `http://tickets.ferry.localhost:${PORT}`,
  portal: `http://my.ferry.localhost:${PORT}`,
  pay: `http://pay.ferry.localhost:${PORT}`,
  mail: `http://mail.ferry.localhost:${PORT}`,
  storage: `http://storage.ferry.localhost:${PORT}`,
  front: `http://localhost:${PORT}`,
};
