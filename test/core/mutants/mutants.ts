/** Planted bugs: for each law one that breaks it. A law that does not notice its bug is no law. */
import { edgesOf } from '../../../src/core/net.js';
import { attemptsOf, jobState, NEVER_RUN } from '../../../src/core/state.js';
import { isLive } from '../../../src/core/transitions.js';
import { type Core, REAL_CORE } from '../simulation.js';

export interface Mutant {
  readonly bug: string;
  /** The law that must notice. */
  readonly law: string;
  readonly core: () => Core;
}

export const MUTANTS: readonly Mutant[] = [
  {
    bug: 'an abended job releases its successors like an ended one',
    law: 'order',
    core: () => ({
      ...REAL_CORE,
      apply: (state, event, at) => {
        REAL_CORE.apply(state, event, at);
        if (event.type !== 'abended') return;
        for (const successor of edgesOf(state.net.successors, state.net.indexes.get(event.job)!)) {
          if (--state.unsettled[successor]! === 0) state.ready.push(successor);
        }
      },
    }),
  },
  {
    bug: 'a successor is released by its first predecessor',
    law: 'order',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) => {
        const next = REAL_CORE.nextLaunch(state, chance);
        if (next || state.run.closed || state.run.stopping || state.live.size >= state.run.limit) return next;
        if (state.counts.abended > 0) return next;
        const index = state.jobs.findIndex(({ status }, at) => {
          const before = edgesOf(state.net.predecessors, at);
          return status === 'waiting' && before.some((one) => state.jobs[one]!.status === 'ended');
        });
        return index < 0 ? null : { job: state.net.names[index]!, ahead: false };
      },
    }),
  },
  {
    bug: 'the number of an attempt that was not started is used again',
    law: 'once',
    core: () => ({
      ...REAL_CORE,
      apply: (state, event, at) => {
        REAL_CORE.apply(state, event, at);
        if (event.type !== 'rerun') return;
        const index = state.net.indexes.get(event.job)!;
        const own = state.jobs[index]!;
        if (own.status === 'waiting')
          state.jobs[index] = { status: 'waiting', attempts: Math.max(0, own.attempts - 1) };
      },
    }),
  },
  {
    bug: 'one attempt too many is live',
    law: 'limit',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) => {
        const { run } = state;
        return REAL_CORE.nextLaunch({ ...state, run: { ...run, limit: run.limit + 1 } }, chance);
      },
    }),
  },
  {
    bug: 'apply keeps something that is not in the event',
    law: 'replay',
    core: () => {
      let calls = 0;
      return {
        ...REAL_CORE,
        apply: (state, event, at) =>
          REAL_CORE.apply(state, event, event.type === 'launching' ? at + ++calls : at),
      };
    },
  },
  {
    bug: 'a counter is forgotten',
    law: 'indexes',
    core: () => ({
      ...REAL_CORE,
      apply: (state, event, at) => {
        REAL_CORE.apply(state, event, at);
        if (event.type === 'not-started') state.counts.waiting--;
      },
    }),
  },
  {
    bug: 'a released successor is not put into the queue',
    law: 'progress',
    core: () => ({
      ...REAL_CORE,
      apply: (state, event, at) => {
        const push = state.ready.push;
        if (event.type === 'ended') state.ready.push = () => undefined;
        REAL_CORE.apply(state, event, at);
        state.ready.push = push;
      },
    }),
  },
  {
    bug: 'the rule that an abend stops new launches is missing',
    law: 'abend stops',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) =>
        REAL_CORE.nextLaunch({ ...state, run: { ...state.run, keepGoing: true } }, chance),
    }),
  },
  {
    bug: 'a stop is forgotten when a slot gets free',
    law: 'stop stops',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) =>
        REAL_CORE.nextLaunch({ ...state, run: { ...state.run, stopping: null } }, chance),
    }),
  },
  {
    bug: 'the last in the file is launched first',
    law: 'file order',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) => {
        const next = REAL_CORE.nextLaunch(state, chance);
        if (!next || state.intended.size > 0) return next;
        const index = state.jobs.findLastIndex(
          ({ status }, at) => status === 'waiting' && state.unsettled[at] === 0,
        );
        return { ...next, job: state.net.names[index]! };
      },
    }),
  },
  {
    bug: 'a run closes while jobs run',
    law: 'close',
    core: () => ({
      ...REAL_CORE,
      decide: (state, input) =>
        input.type === 'idle' && state.live.size > 0 && !state.run.closed
          ? [{ type: 'closed', as: 'stopped' }]
          : REAL_CORE.decide(state, input),
    }),
  },
  {
    bug: 'a late answer counts for the attempt that runs now',
    law: 'old report',
    core: () => ({
      ...REAL_CORE,
      decide: (state, input) => {
        if (input.type !== 'report') return REAL_CORE.decide(state, input);
        const own = jobState(state, input.job) ?? NEVER_RUN;
        const attempt = isLive(own.status) ? attemptsOf(own) : input.attempt;
        return REAL_CORE.decide(state, { ...input, attempt });
      },
    }),
  },
  {
    bug: 'an ended job is made to run again by nobody',
    law: 'impossible',
    core: () => ({
      ...REAL_CORE,
      decide: (state, input) => {
        const own = input.type === 'report' ? jobState(state, input.job) : undefined;
        if (input.type === 'report' && own?.status === 'ended') {
          return [{ type: 'not-started', job: input.job, attempt: attemptsOf(own), cause: 'x' }];
        }
        return REAL_CORE.decide(state, input);
      },
    }),
  },
  {
    bug: 'an edit of somebody who had not seen the state is obeyed',
    law: 'stale edit',
    core: () => ({
      ...REAL_CORE,
      decide: (state, input) => {
        if (input.type !== 'version') return REAL_CORE.decide(state, input);
        const rows = input.edits.rows.map((row) => ({ ...row, times: 'kept' as const }));
        return REAL_CORE.decide(state, { ...input, edits: { ...input.edits, rows } });
      },
    }),
  },
  {
    bug: 'a launch that was recorded ahead is not held back when its predecessor runs again',
    law: 'order',
    core: () => ({
      ...REAL_CORE,
      nextLaunch: (state, chance) => {
        const [intended] = state.intended;
        const isFree = state.live.size < state.run.limit && !state.run.stopping && !state.run.closed;
        if (intended !== undefined && isFree && !state.run.paused && state.stoppers.size === 0) {
          return { job: state.net.names[intended]!, ahead: false };
        }
        return REAL_CORE.nextLaunch(state, chance);
      },
    }),
  },
  {
    bug: 'a job that was asked to end and returns 0 has ended normally',
    law: 'killed',
    core: () => ({
      ...REAL_CORE,
      decide: (state, input) =>
        REAL_CORE.decide(state, input).map((event) =>
          event.type === 'abended' && event.reason.kind === 'killed' && event.reason.code === 0
            ? { type: 'ended', job: event.job, attempt: event.attempt }
            : event,
        ),
    }),
  },
];
