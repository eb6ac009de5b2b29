// happy-dom loads no scripts and prints an error for each one. Tests of a card form that cannot load expect that.
const page = globalThis.document?.defaultView as { console: Pick<Console, 'error'> } | null | undefined;
if (page) {
  const { console } = page;
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    if (!String(parts[0]).includes('JavaScript file loading is disabled')) print.apply(console, parts);
  };
}
