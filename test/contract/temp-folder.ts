/** A folder of a test's own, gone when the test is over. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'jobnet-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
