/** The cells of jobnet.csv in memory. */
import type { Cells } from '../../core/project.js';
import type { FileEvent, JobName } from '../../core/words.js';
import type { NetFile, NetFileListener, Version, VersionAnswer } from '../ports.js';

export interface FakeNetFile extends NetFile {
  /** The rows of the file as they are now. */
  readonly rows: ReadonlyMap<JobName, Cells>;
  /** Somebody saves a good version. */
  offer(version: Version): VersionAnswer;
  /** Something else happens to the file. */
  tell(event: FileEvent): void;
}

const NOT_RUN: Cells = { status: '9', startedAt: null, endedAt: null };

/** @param jobs the rows that the file has */
export function createFakeNetFile(jobs: Iterable<JobName>): FakeNetFile {
  const rows = new Map<JobName, Cells>();
  const shown = new Map<JobName, Cells>();
  let listener: NetFileListener | null = null;
  let held: Version | null = null;
  for (const job of jobs) rows.set(job, NOT_RUN);

  function offer(version: Version): VersionAnswer {
    const answer = listener!.version(version);
    held = answer === 'held' ? version : null;
    for (const job of answer === 'held' ? [] : version.edits.removed) rows.delete(job);
    for (const job of answer === 'held' ? [] : version.edits.added) rows.set(job, NOT_RUN);
    return answer;
  }

  /** A version that waits for a person is not written over. */
  async function flush(): Promise<boolean> {
    if (held) return shown.size === 0;
    for (const [job, cells] of shown) {
      const row = rows.get(job);
      if (row) rows.set(job, merged(row, cells));
    }
    shown.clear();
    return true;
  }

  return {
    rows,
    show: (job, cells) => void shown.set(job, cells),
    listen: (to) => {
      listener = to;
    },
    acceptHeld: () => {
      if (held) offer({ ...held, isAccepted: true });
    },
    flush,
    close: async () => {},
    offer,
    tell: (event) => listener?.event(event),
  };
}

function merged(row: Cells, { status, startedAt, endedAt }: Cells): Cells {
  return {
    status,
    startedAt: startedAt === undefined ? row.startedAt : startedAt,
    endedAt: endedAt === undefined ? row.endedAt : endedAt,
  };
}
