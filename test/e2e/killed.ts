/** What tests kill with -9: a controller, its launchers, its jobs. */
import { findMarked } from '../../src/host/marked.js';
import { journalOf } from './journal.js';
import { isAlive, type NetBench, type Running, until } from './workbench.js';

export async function killController({ child, finished }: Running): Promise<void> {
  child.kill('SIGKILL');
  await finished;
}

export async function killLaunchers(net: NetBench): Promise<void> {
  for (const event of journalOf(net)) {
    if (event.type === 'launcher-started') await killIfAlive(event.pid);
  }
}

/** All processes of the jobs of the last run. */
export async function killJobs(net: NetBench): Promise<void> {
  for (const { pid } of findMarked({ run: net.statusJson().run!.id, file: net.file })) await killIfAlive(pid);
}

async function killIfAlive(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
}
