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
  /** At most 20 of a kind, in the order in which they were found. */
  readonly problems: readonly Problem[];
  /** The number of all problems. */
  readonly count: number;

  constructor(problems: readonly Problem[], count = problems.length) {
    super(`There ${count === 1 ? 'is 1 problem' : `are ${count} problems`}; nothing was done.`);
    this.problems = problems;
    this.count = count;
  }
}

type AddProblem = (file: string, line: number | null, column: string | null, message: string) => void;

/** Collects problems, so that one run reports them all. */
export type Problems = {
  add: AddProblem;
  /** Adds a problem that keeps a whole file from being read. Others may follow from it, so they are not reported then. */
  addUnreadable: AddProblem;
  /** Adds a sentence about something that is not an error. */
  note(sentence: string): void;
  /** The notes, each once. */
  notes(): string[];
  /** @throws {FileError} if there is at least one problem */
  throwIfAny(): void;
};

const MAX_OF_A_KIND = 20;

export function collectProblems(): Problems {
  const others = createList();
  const unreadable = createList();
  const notes = new Set<string>();
  return {
    add: others.add,
    addUnreadable: unreadable.add,
    note: (sentence) => void notes.add(sentence),
    notes: () => [...notes],
    throwIfAny() {
      const reported = unreadable.count() > 0 ? unreadable : others;
      if (reported.count() > 0) throw new FileError(reported.list(), reported.count());
    },
  };
}

function createList() {
  const problems: Problem[] = [];
  const kinds = new Map<string, { file: string; column: string | null; count: number }>();
  const seen = new Set<string>();
  let count = 0;
  const add: AddProblem = (file, line, column, message) => {
    // A file that is read twice reports the same problem twice.
    const problem = { file, line, column, message };
    const key = JSON.stringify(problem);
    if (line !== null && seen.has(key)) return;
    count += 1;
    const kind = [file, column, ...message.split(' ').slice(0, 3)].join(' ');
    const ofKind = kinds.get(kind) ?? { file, column, count: 0 };
    ofKind.count += 1;
    kinds.set(kind, ofKind);
    if (ofKind.count > MAX_OF_A_KIND) return;
    seen.add(key);
    problems.push(problem);
  };
  const list = () => [...problems, ...[...kinds.values()].flatMap(describeRest)];
  return { add, list, count: () => count };
}

/** The problems of a kind that are not listed, as one. */
function describeRest({
  file,
  column,
  count,
}: {
  file: string;
  column: string | null;
  count: number;
}): Problem[] {
  if (count <= MAX_OF_A_KIND) return [];
  return [{ file, line: null, column, message: `${count - MAX_OF_A_KIND} more problems of this kind.` }];
}

/** A file to read, and where its problems are collected. */
export type FileInput = { file: string; contents: Uint8Array; problems: Problems };

/** Parses a file as JSON; undefined with a problem if it is not JSON. */
export function readJson({ file, contents, problems }: FileInput): unknown {
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
