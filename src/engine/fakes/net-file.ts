/** The cells of jobnet.csv in memory. */
import type { Cells } from '../../core/project.js';
import type { JobName } from '../../core/words.js';
import type { NetFile } from '../ports.js';

export interface FakeNetFile extends NetFile {
  /** The rows of the file as they are now. */
  readonly rows: ReadonlyMap<JobName, Cells>;
}

/** @param jobs the rows that the file has */
export function createFakeNetFile(jobs: Iterable<JobName>): FakeNetFile {
  const rows = new Map<JobName, Cells>();
  const shown = new Map<JobName, Cells>();
  for (const job of jobs) rows.set(job, { status: '9', startedAt: null, endedAt: null });

  async function flush(): Promise<void> {
    for (const [job, cells] of shown) {
      const row = rows.get(job);
      if (row) rows.set(job, merged(row, cells));
    }
    shown.clear();
  }

  return { rows, show: (job, cells) => void shown.set(job, cells), flush };
}

function merged(row: Cells, { status, startedAt, endedAt }: Cells): Cells {
  return {
    status,
    startedAt: startedAt === undefined ? row.startedAt : startedAt,
    endedAt: endedAt === undefined ? row.endedAt : endedAt,
  };
}
