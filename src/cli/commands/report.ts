/** `jobnet report 0|1`: how a job says itself that its work failed, although its script ends with 0. */
import { realpathSync } from 'node:fs';
import { attemptsOf, jobState } from '../../core/state.js';
import { isLive } from '../../core/transitions.js';
import { writeReport } from '../../executor/reports.js';
import { listRuns, type RunFolder } from '../../journal/runs.js';
import { stateFolderOf } from '../../journal/statefolder.js';
import type { Context } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, knownSheet, type NetOptions } from '../place.js';
import { reportStatus } from '../status/report.js';
import { visible } from '../view/visible.js';

export interface ReportOptions extends NetOptions {
  readonly job?: string;
}

export function report(context: Context, status: string, options: ReportOptions): number {
  const { m } = context;
  if (status !== '0' && status !== '1') {
    throw new CommandError(EXIT.wrongUse, [
      m.usage.badValue('report', visible(status), m.usage.oneOf(['0', '1'])),
    ]);
  }
  const target =
    options.job === undefined ? ownAttempt(context, options) : liveAttempt(context, options, options.job);
  writeReport(target.run.path, target.job, target.attempt, status);
  context.out(m.reported(visible(target.job), target.attempt, status));
  return EXIT.settled;
}

interface Target {
  readonly run: RunFolder;
  readonly job: string;
  readonly attempt: number;
}

/** Inside a job its environment says everything; no controller is needed. */
function ownAttempt({ environment, m }: Context, options: NetOptions): Target {
  const { JOBNET_FILE, JOBNET_RUN, JOBNET_JOB, JOBNET_ATTEMPT, JOBNET_STATE } = environment;
  const attempt = Number(JOBNET_ATTEMPT);
  if (!JOBNET_FILE || !JOBNET_RUN || !JOBNET_JOB || !(attempt >= 1)) {
    throw new CommandError(EXIT.wrongUse, [m.whichJob]);
  }
  const state = stateFolderOf(realpathSync(JOBNET_FILE), options.state ?? JOBNET_STATE ?? null);
  const run = listRuns(state).find(({ id }) => id === JOBNET_RUN);
  if (!run) throw new CommandError(EXIT.wrongState, [m.noLiveAttempt(visible(JOBNET_JOB))]);
  return { run, job: JOBNET_JOB, attempt };
}

function liveAttempt(context: Context, options: NetOptions, job: string): Target {
  const place = findPlace(context, options);
  const found = reportStatus(context, place, knownSheet(context, place), Date.now());
  const own = jobState(found.state, job);
  const run = found.run && listRuns(place.state).find(({ id }) => id === found.run!.id);
  if (!own || !isLive(own.status) || !run) {
    throw new CommandError(EXIT.wrongState, [context.m.noLiveAttempt(visible(job))]);
  }
  return { run, job, attempt: attemptsOf(own) };
}
