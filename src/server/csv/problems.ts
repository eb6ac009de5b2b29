/** A problem in the operator's files that must be fixed before they can be imported. */
export type Problem = {
  file: string;
  /** 1 is the header. Null: the file as a whole. */
  line: number | null;
  column: string | null;
  message: string;
};

/** The operator's files were refused and nothing was written. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** At most 100 of them, in the order in which they were found. */
  readonly problems: readonly Problem[];
  /** The number of all problems. */
  readonly count: number;

  constructor(problems: readonly Problem[], count = problems.length) {
    super(`There ${count === 1 ? 'is 1 problem' : `are ${count} problems`}; nothing was done.`);
    this.problems = problems;
    this.count = count;
  }
}

/** Collects problems, so that one run reports them all. */
export type Problems = {
  add(file: string, line: number | null, column: string | null, message: string): void;
  /** @throws {FileError} if there is at least one problem */
  refuse(): void;
};

const MAX_PROBLEMS = 100;

export function collectProblems(): Problems {
  const problems: Problem[] = [];
  let count = 0;
  return {
    add(file, line, column, message) {
      count += 1;
      if (problems.length < MAX_PROBLEMS) problems.push({ file, line, column, message });
    },
    refuse() {
      if (count > 0) throw new FileError(problems, count);
    },
  };
}

/** Parses a file as JSON; undefined with a problem if it is not JSON. */
export function readJson(file: string, contents: Uint8Array, problems: Problems): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(contents));
  } catch {
    problems.add(file, null, null, 'The file is not JSON.');
    return undefined;
  }
}

/** A problem as a line of text: `fares.csv:12 amount: "12.5O" is not an amount of money.` */
export function describeProblem(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}${problem.column === null ? '' : ` ${problem.column}`}: ${problem.message}`;
}
