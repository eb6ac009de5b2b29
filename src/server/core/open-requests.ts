/** The calls that this process is answering. Background work leaves them the processor. */
let open = 0;

export function countOpenRequests(): number {
  return open;
}

export async function whileOpen<Result>(answer: () => Promise<Result>): Promise<Result> {
  open += 1;
  try {
    return await answer();
  } finally {
    open -= 1;
  }
}
